import type { PacketProtection, PacketView } from '../core/index.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Stands in for the AEAD in simulations: no secrecy, but a tag bound to key, number and bytes, so that corrupted,
 * forged and misdirected packets fail to open. `isThorough` covers every byte; otherwise only the first 48, for speed.
 */
export function simProtection(
  key: number,
  isThorough: boolean,
  onNonce?: (packet: PacketView) => void,
): PacketProtection {
  const tagOf = (packet: PacketView): number => {
    let hash = (FNV_OFFSET ^ key ^ (packet.pathId << 8) ^ packet.phase) >>> 0
    hash = Math.imul(hash ^ (packet.packetNumber >>> 0), FNV_PRIME)
    const end = isThorough ? packet.end : Math.min(packet.end, packet.start + 48)
    for (let at = packet.start; at < end; at++) hash = Math.imul(hash ^ (packet.buffer[at] ?? 0), FNV_PRIME)
    return (hash ^ (hash >>> 15)) >>> 0
  }
  return {
    seal(packet) {
      onNonce?.(packet)
      const tag = tagOf(packet)
      for (let at = 0; at < 16; at++) packet.buffer[packet.end + at] = (tag >>> ((at % 4) * 8)) & 0xff
    },
    open(packet) {
      const tag = tagOf(packet)
      for (let at = 0; at < 16; at++)
        if (packet.buffer[packet.end + at] !== ((tag >>> ((at % 4) * 8)) & 0xff)) return false
      return true
    },
  }
}
