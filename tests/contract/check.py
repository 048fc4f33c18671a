#!/usr/bin/env python3
"""The launch contract: check.py PHOBOS

The contract of every kernel of examples and tests/run against docs/contract.schema.json; and examples/launch.c, compiled against the
few declarations of tests/contract/cuda.h and a driver that only records, which launches by it."""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
KNOWN = {"$schema", "title", "description", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "pattern",
         "minimum", "maximum", "multipleOf", "minItems", "maxItems"}


def faults_of(value, schema, where="contract"):
    """What is wrong with a value, by the part of JSON Schema that KNOWN lists."""
    unknown = set(schema) - KNOWN
    if unknown:
        return [f"{where}: this checker does not know {unknown}"]
    faults = []
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool) != (schema["type"] == "boolean")):
        return [f"{where}: {value!r} is no {schema['type']}"]
    if "const" in schema and value != schema["const"]:
        faults.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        faults.append(f"{where}: {value!r} is not {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"] or "maximum" in schema and value > schema["maximum"]:
        faults.append(f"{where}: {value} is out of range")
    if "multipleOf" in schema and value % schema["multipleOf"]:
        faults.append(f"{where}: {value} is no multiple of {schema['multipleOf']}")
    if "anyOf" in schema:
        choices = [faults_of(value, choice, where) for choice in schema["anyOf"]]
        if all(choices):
            faults.append(f"{where}: {value!r} fits nothing: {choices}")
    if isinstance(value, dict):
        faults += [f"{where}: `{name}` is missing" for name in schema.get("required", []) if name not in value]
        for name, member in value.items():
            if name in schema.get("properties", {}):
                faults += faults_of(member, schema["properties"][name], f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                faults.append(f"{where}: `{name}` has no business here")
            elif isinstance(schema.get("additionalProperties"), dict):
                faults += faults_of(member, schema["additionalProperties"], f"{where}.{name}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            faults.append(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            faults += faults_of(item, schema.get("items", {}), f"{where}[{i}]")
    return faults


def consistent(contract, ptx):
    """What the schema cannot say: the PTX has these parameters, and names stand for something."""
    faults = []
    entry = re.search(rf"\.entry {contract['entry']}\((.*?)\)", ptx, re.S)
    parameters = re.findall(r"\.param \.(\w+)", entry.group(1)) if entry else []
    wide = {"pointer": "u64", "dimension": "u64"}
    sizes = {"f16": "b16", "bf16": "b16", "f32": "f32 b32", "f64": "f64 b64", "i8": "u8", "u8": "u8", "i32": "u32", "i64": "u64", "bool": "u8", "index": "u64"}
    expected = [wide.get(p["kind"]) or sizes[p["type"]] for p in contract["ptx_parameters"]]
    if len(parameters) != len(expected) or any(p not in e.split() for p, e in zip(parameters, expected)):
        faults.append(f"the PTX takes {parameters}, the contract says {expected}")
    names = [p["name"] for p in contract["parameters"]] + contract["dimensions"]
    if names != [p["name"] for p in contract["ptx_parameters"]]:
        faults.append(f"names differ: {names}")
    extents = {e for p in contract["parameters"] for e in p.get("shape", []) if isinstance(e, str)} | {a["extent"] for a in contract["grid"] or []
                                                                                                    if isinstance(a["extent"], str)}
    if not extents <= set(contract["dimensions"]):
        faults.append(f"extents {extents - set(contract['dimensions'])} are no dimensions")
    if f".maxntid {contract['threads']}" not in ptx:
        faults.append("the PTX has another number of threads")
    if bulk := contract["bulk"]:
        entry = re.search(rf"\.entry {bulk['entry']}\((.*?)\n\)\n\.maxntid (\d+)", ptx, re.S)
        taken = re.findall(r"\.param (?:\.align 64 )?\.(\w+).*?(\[128\])?,?$", entry.group(1), re.M) if entry else []
        plain = len(contract["ptx_parameters"])
        if [t for t, _ in taken[:plain]] != parameters or taken[plain:] != [("b8", "[128]")] * len(bulk["maps"]) + [("u32", "")] * 3:
            faults.append(f"the entry for bulk copies takes {taken}")
        if entry and int(entry.group(2)) != bulk["threads"]:
            faults.append("the entry for bulk copies has another number of threads")
        tensors = {p["name"] for p in contract["parameters"] if p["kind"] == "tensor" and len(p["shape"]) == 2}
        if not {m["tensor"] for m in bulk["maps"]} <= tensors:
            faults.append("a map is of no tensor of two axes")
    if (contract["grid"] is None) != bool(contract["grid_reason"]):
        faults.append("the grid has a rule and a reason for having none, or neither")
    return faults


def launches(phobos, folder):
    """examples/launch.c, for real up to the driver."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return ["there is no C compiler"]
    stub, program, log = folder / "libcuda.so.1", folder / "launch", folder / "calls"
    for command in ([phobos, "build", "examples/saxpy.ph", "-o", folder / "k.ptx", "--contract", folder / "k.json"],
                    [compiler, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "tests/driver/stub.c", "-o", stub],
                    [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-Itests/contract", "examples/launch.c", stub, "-o", program]):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
        if done.returncode:
            return [f"{command[0]}: {done.stderr.strip()}"]
    done = subprocess.run([str(program), str(folder / "k.ptx"), str(folder / "k.json")], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder), "PHOBOS_STUB_LOG": str(log)})
    faults = [] if done.returncode == 0 and "1000 elements, as expected" in done.stdout else [f"launch: {done.stdout}{done.stderr}"]
    threads = json.loads((folder / "k.json").read_text())["threads"]
    calls = log.read_text() if log.exists() else ""
    if f"launch saxpy 1,1,1 {threads},1,1 0\narguments 2 1000\n" not in calls:
        faults.append(f"the driver was asked for: {calls}")
    return faults


def main(phobos):
    phobos = os.path.abspath(phobos)
    os.chdir(ROOT)
    schema = json.loads(pathlib.Path("docs/contract.schema.json").read_text())
    faults, count, by_bulk = [], 0, 0
    for path in sorted(p for folder in ("examples", "tests/run") for p in pathlib.Path(folder).glob("*.ph")):
        for kernel in re.findall(r"^\s*kernel\s+(\w+)", path.read_text(), re.M):
            made = [subprocess.run([phobos, "build", path, "--kernel", kernel, "--emit", what], capture_output=True, text=True, timeout=120)
                    for what in ("contract", "ptx")]
            if any(done.returncode for done in made):
                faults.append(f"{path}: {kernel}: {made[0].stderr}")
                continue
            contract = json.loads(made[0].stdout)
            faults += [f"{path}: {kernel}: {fault}" for fault in faults_of(contract, schema) + consistent(contract, made[1].stdout)]
            count += 1
            by_bulk += contract["bulk"] is not None
    broken = {"kernel": "1k", "threads": 33, "grid": 5}
    for wanted in ("`entry` is missing", "'1k' is not", "33 is no multiple of 32", "5 fits nothing"):
        if not any(wanted in fault for fault in faults_of(broken, schema)):
            faults.append(f"the checker does not find: {wanted}")
    with tempfile.TemporaryDirectory() as folder:
        faults += launches(phobos, pathlib.Path(folder))
    print("\n".join(faults))
    print(f"{count} contracts, {by_bulk} of them with an entry for bulk copies, {len(faults)} faults")
    return 1 if faults or not count or not by_bulk else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
