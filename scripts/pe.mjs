// Programs and libraries of Windows, as files (Microsoft's PE Format).
import { readFileSync, writeFileSync } from 'node:fs';

const placeholder = Buffer.from('c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2');

/** The processor and system that a file is for; 0xfd1d is a ReadyToRun image of Linux x64, which Windows does not load. */
export function machineOf(path) {
  const file = readFileSync(path);
  return file.readUInt16LE(file.readUInt32LE(0x3c) + 4);
}

/** Makes .NET's executable for a program: the host that comes with the SDK, in which the program's name stands. */
export function writeAppHost(host, path, dll) {
  const file = readFileSync(host), at = file.indexOf(placeholder);
  if (at < 0 || dll.length >= placeholder.length)
    throw new Error(`${host} has no place for the name ${dll}`);
  file.fill(0, at, at + placeholder.length);
  file.write(dll, at);
  writeFileSync(path, file);
}

/**
 * Moves a 64-bit library to another preferred address and takes it from the loader's choice: its relocations are applied. Wine loads coreclr.dll low,
 * so that the code which it compiles lies below 2 GB and has other instructions than on Windows, which spreads programs over all addresses.
 */
export function rebase(source, target, address) {
  const file = readFileSync(source), header = file.readUInt32LE(0x3c), optional = header + 24;
  if (file.readUInt16LE(optional) !== 0x20b)
    throw new Error(`${source} is not a 64-bit library`);
  const sections = Array.from({ length: file.readUInt16LE(header + 6) }, (_, i) => optional + file.readUInt16LE(header + 20) + 40 * i)
    .map(at => ({ size: file.readUInt32LE(at + 8), address: file.readUInt32LE(at + 12), bytes: file.readUInt32LE(at + 16), offset: file.readUInt32LE(at + 20) }));
  const offsetOf = place => {
    const section = sections.find(found => place >= found.address && place < found.address + Math.max(found.size, found.bytes));
    return section.offset + place - section.address;
  };
  const distance = address - file.readBigUInt64LE(optional + 24);
  const first = offsetOf(file.readUInt32LE(optional + 112 + 5 * 8)), end = first + file.readUInt32LE(optional + 116 + 5 * 8);
  for (let block = first; block < end; block += file.readUInt32LE(block + 4)) {
    for (let entry = block + 8; entry < block + file.readUInt32LE(block + 4); entry += 2) {
      const word = file.readUInt16LE(entry);
      // IMAGE_REL_BASED_DIR64
      if (word >> 12 !== 10)
        continue;
      const place = offsetOf(file.readUInt32LE(block) + (word & 0xfff));
      file.writeBigUInt64LE(BigInt.asUintN(64, file.readBigUInt64LE(place) + distance), place);
    }
  }
  file.writeBigUInt64LE(address, optional + 24);
  // Without DYNAMIC_BASE and HIGH_ENTROPY_VA.
  file.writeUInt16LE(file.readUInt16LE(optional + 70) & ~0x60, optional + 70);
  writeFileSync(target, file);
}
