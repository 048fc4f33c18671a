// Tensors that the program wrote (.npy, C order), read in pieces: a table shows a few rows of what may be large.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export class Tensor {
  private constructor(
    private readonly file: number,
    private readonly data_at: number,
    private readonly element: Element,
    readonly shape: number[],
    readonly count: number,
  ) {}

  /** Throws where the file is not there, or no such tensor. */
  static open(path: string): Tensor {
    const file = openSync(path, "r");
    try {
      const head = read_at(file, 0, 10);
      if (head.length < 10 || head.toString("latin1", 0, 6) !== "\x93NUMPY" || head[6] !== 1) throw new Error(`${path} is no .npy file`);
      const length = head.readUInt16LE(8);
      const text = read_at(file, 10, length).toString("latin1");
      const element = elements[/'descr': '([^']*)'/.exec(text)?.[1] ?? ""];
      const extents = /'shape': \(([^)]*)\)/.exec(text)?.[1];
      if (element === undefined || extents === undefined) throw new Error(`${path} holds elements that are not known`);
      const shape = extents.split(",").map((extent) => extent.trim()).filter((extent) => extent !== "").map(Number);
      const count = shape.reduce((product, extent) => product * extent, 1);
      if (fstatSync(file).size < 10 + length + count * element.bytes) throw new Error(`${path} ends before its last element`);
      return new Tensor(file, 10 + length, element, shape, count);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  /** Elements in row-major order, from that one on. */
  read(from: number, count: number): number[] {
    const { bytes, value } = this.element;
    const most = Math.max(0, Math.min(count, this.count - from));
    const data = read_at(this.file, this.data_at + from * bytes, most * bytes);
    return Array.from({ length: most }, (_, i) => value(data, i * bytes));
  }
}

interface Element {
  bytes: number;
  value: (data: Buffer, at: number) => number;
}

const elements: Record<string, Element | undefined> = {
  "<f2": { bytes: 2, value: (data, at) => half_to_number(data.readUInt16LE(at)) },
  "<f4": { bytes: 4, value: (data, at) => data.readFloatLE(at) },
  "<f8": { bytes: 8, value: (data, at) => data.readDoubleLE(at) },
  "|i1": { bytes: 1, value: (data, at) => data.readInt8(at) },
  "|u1": { bytes: 1, value: (data, at) => data.readUInt8(at) },
  "|b1": { bytes: 1, value: (data, at) => data.readUInt8(at) },
  "<i4": { bytes: 4, value: (data, at) => data.readInt32LE(at) },
  "<i8": { bytes: 8, value: (data, at) => Number(data.readBigInt64LE(at)) },
};

function read_at(file: number, at: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const got = readSync(file, data, done, length - done, at + done);
    if (got === 0) break;
    done += got;
  }
  return data.subarray(0, done);
}

export function half_to_number(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
