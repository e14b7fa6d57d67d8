/** A frame as a client sends it, be it as RFC 6455 has it or not. */
export interface SentFrame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly isMasked: boolean;
  /** The three bits that no extension of ours uses. */
  readonly reserved: number;
  readonly payload: Buffer;
}

const MASK = Buffer.from([1, 2, 3, 4]);

export function encodeFrame({ opcode, isLast, isMasked, reserved, payload }: SentFrame): Buffer {
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const flag = isMasked ? 0x80 : 0;
  const { length } = payload;
  const size = Buffer.alloc(length < 126 ? 1 : length < 65_536 ? 3 : 9);
  size[0] = flag | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (size.length === 3) size.writeUInt16BE(length, 1);
  if (size.length === 9) size.writeBigUInt64BE(BigInt(length), 1);
  const body = isMasked ? payload.map((byte, n) => byte ^ (MASK[n % 4] as number)) : payload;
  return Buffer.concat([Buffer.from([first]), size, isMasked ? MASK : Buffer.alloc(0), body]);
}

/** The whole frames that a server sent, none of which is masked. */
export function readFrames(bytes: Buffer): readonly { readonly opcode: number; readonly payload: Buffer }[] {
  const frames: { opcode: number; payload: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes.readUInt8(at + 1);
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
    if (start > bytes.length) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    if (start + length > bytes.length) break;
    frames.push({ opcode: bytes.readUInt8(at) & 15, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}
