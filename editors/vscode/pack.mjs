// Writes the .vsix: a zip file with the extension under `extension/`, and two XML files that say what it
// is. The same input gives the same bytes. `node pack.mjs PHOBOS_BINARY TARGET OUT.vsix`

import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const [program, target, out] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: node pack.mjs PHOBOS_BINARY TARGET OUT.vsix");
  process.exit(2);
}

/** What lies elsewhere in the tree than in the package. */
const sources = { "schemas/contract.schema.json": "../../docs/contract.schema.json" };

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const files = [
  { name: "extension.vsixmanifest", data: Buffer.from(vsix_manifest(manifest, target)) },
  { name: "[Content_Types].xml", data: Buffer.from(content_types()) },
  { name: "extension/package.json", data: Buffer.from(JSON.stringify(shipped(manifest), null, 2)) },
  from_disk("extension/README.md", "README.md"),
  from_disk("extension/LICENSE", "../../LICENSE"),
  ...contributed(manifest).map((path) => from_disk(`extension/${path}`, sources[path] ?? path)),
  { ...from_disk(`extension/server/phobos${target.startsWith("win32") ? ".exe" : ""}`, program), mode: 0o755 },
];
writeFileSync(out, zip(files));

function from_disk(name, path) {
  return { name, data: readFileSync(path) };
}

/** The files that the manifest names, and what the extension loads of its own. */
function contributed({ main, icon, contributes }) {
  const found = new Set([icon, main.replace("./", ""), "dist/result_view.js", "dist/stepper_view.js", "dist/hierarchy_view.js"]);
  const walk = (value) => {
    if (typeof value === "string" && /^(\.\/|walkthrough\/)[\w./-]+\.(json|md|svg)$/.test(value)) found.add(value.replace("./", ""));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(contributes);
  return [...found];
}

/** What users need of package.json: nothing that only building uses. */
function shipped({ scripts, devDependencies, dependencies, private: _, ...rest }) {
  return rest;
}

function vsix_manifest({ name, publisher, version, displayName, description, categories, keywords, engines, icon }, target) {
  const extensions = "__ext_ph";
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(name)}" Version="${xml(version)}" Publisher="${xml(publisher)}" TargetPlatform="${xml(target)}"/>
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml([...keywords, name, extensions].join(","))}</Tags>
    <Categories>${xml(categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Icon>extension/${xml(icon)}</Icon>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${xml(icon)}" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function content_types() {
  const types = { ".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".png": "image/png", ".svg": "image/svg+xml" };
  const defaults = Object.entries({ ...types, ".vsixmanifest": "text/xml" })
    .map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`)
    .join("");
  const overrides = ["/extension/LICENSE", "/extension/server/phobos"]
    .map((part) => `<Override PartName="${part}" ContentType="application/octet-stream"/>`)
    .join("");
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults}${overrides}</Types>
`;
}

function xml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

// Zip: for each file a local header and its deflated bytes, then the central directory that repeats the
// headers, then the end record. Modes are Unix's, so that the program stays executable.
function zip(files) {
  const dos_date = (0 << 9) | (1 << 5) | 1; // 1980-01-01
  const locals = [];
  const centrals = [];
  let offset = 0;
  for (const { name, data, mode = 0o644 } of files) {
    const name_bytes = Buffer.from(name);
    const packed = deflateRawSync(data, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(dos_date, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name_bytes.length, 22);
    common.writeUInt16LE(0, 24); // no extra field
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, name_bytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    centrals.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, tail, name_bytes);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from("PK\x05\x06", "latin1"), end]);
}

function crc32(data) {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
