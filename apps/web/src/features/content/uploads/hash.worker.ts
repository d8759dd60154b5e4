import { type Hash, joinNodes, LEAF_BYTES, leafNode, secureRandom, treeRoot } from '@godwit/base'
import { createBLAKE3 } from 'hash-wasm'
import type { HashReply, HashRequest, PackBody, PackEntry } from './hash-messages.ts'

/** Reads and hashes away from the page's own thread. One request at a time; the pool spreads them over workers. */
const ready = createBLAKE3()

self.onmessage = ({ data }: MessageEvent<HashRequest>) => void answer(data)

async function answer(data: HashRequest): Promise<void> {
  try {
    if (data.kind === 'seal') {
      // Loaded by those sites alone that ask for it.
      const { sealBody } = await import('./seal-body.ts')
      return reply({ id: data.id, kind: 'seal', sealed: await sealBody(data.blob, data.sealing, secureRandom) })
    }
    const hash = await blake3()
    if (data.kind === 'part') reply({ id: data.id, kind: 'part', nodes: await partNodes(hash, data.blob, data.offset) })
    else if (data.kind === 'root') reply({ id: data.id, kind: 'root', hash: treeRoot(hash, data.size, data.nodes) })
    else reply({ id: data.id, kind: 'pack', pack: await packBody(hash, data.entries) })
  } catch (error) {
    // Only reading can fail here: the file was changed, moved or taken away.
    reply({ id: data.id, kind: 'failed', reason: String(error) })
  }
}

function reply(message: HashReply): void {
  self.postMessage(message)
}

async function blake3(): Promise<Hash> {
  const hasher = await ready
  return (data) => hasher.init().update(data).digest('binary')
}

async function partNodes(hash: Hash, blob: Blob, offset: number) {
  const nodes = []
  for (let at = 0; at < Math.max(1, blob.size); at += LEAF_BYTES) {
    const leaf = new Uint8Array(await blob.slice(at, at + LEAF_BYTES).arrayBuffer())
    nodes.push(leafNode((offset + at) / LEAF_BYTES, hash(leaf)))
  }
  return joinNodes(hash, nodes)
}

/** Frames of a pack (docs/protocol-upload.md): length of the header, 4 bytes big endian; the header as JSON; the bytes. */
async function packBody(hash: Hash, entries: readonly PackEntry[]): Promise<PackBody> {
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  const unreadable: number[] = []
  for (const [place, { file, relativePath, conflict }] of entries.entries()) {
    const bytes = await bytesOf(file)
    if (bytes === undefined) {
      unreadable.push(place)
      continue
    }
    const head = new TextEncoder().encode(
      JSON.stringify({
        relativePath,
        size: bytes.length,
        lastModified: file.lastModified,
        hash: treeRoot(hash, bytes.length, [leafNode(0, hash(bytes))]),
        conflict,
      }),
    )
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, head.length)
    parts.push(length, head, bytes)
  }
  return { body: new Blob(parts), unreadable }
}

/** Undefined for a file that was changed or taken away since it was chosen. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    return undefined
  }
}
