import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader, frameHead } from './frames.ts'

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let piece = 0; at < bytes.length; piece++) {
    const end = at + Math.max(1, lengths[piece % Math.max(1, lengths.length)] ?? bytes.length)
    yield bytes.subarray(at, end)
    at = end
  }
}

describe('frames of a pipe', () => {
  it('arrive as they were sent, in whatever pieces', async () => {
    const sent = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 })
    const property = fc.asyncProperty(sent, fc.array(fc.integer({ min: 1, max: 17 })), async (frames, lengths) => {
      const bytes = Buffer.concat(frames.flatMap((frame) => [frameHead(frame.length), frame]))
      const reader = new FrameReader(cut(bytes, lengths))
      for (const frame of frames)
        expect(await reader.next(64)).toSatisfy((one: Uint8Array) => Buffer.from(one).equals(frame))
      expect(await reader.next(64)).toBeUndefined()
    })
    await fc.assert(property)
  })

  it('are refused when they are cut off or longer than may be', async () => {
    await expect(new FrameReader(cut(frameHead(5).subarray(0, 3), [])).next(64)).rejects.toThrow('within a frame')
    await expect(new FrameReader(cut(Uint8Array.of(...frameHead(2), 1), [])).next(64)).rejects.toThrow('within a frame')
    await expect(new FrameReader(cut(frameHead(65), [])).next(64)).rejects.toThrow('65 bytes')
  })
})
