import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PACK_MAX_FILES, readFrames } from './pack-frames.ts'

const signal = new AbortController().signal

function frame(header: object | string, content = Buffer.alloc(0)): Buffer {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, content])
}

async function* chunks(body: Buffer, step: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < body.length; at += step) yield body.subarray(at, at + step)
}

const read = (body: Buffer, step = 65_536) =>
  readFrames(chunks(body, step), { length: step % 2 === 0 ? body.length : undefined, signal })

describe('the frames of a pack', () => {
  it('come back as they were sent, however they were cut on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.string({ minLength: 1, maxLength: 50 }), content: fc.uint8Array() })),
        fc.integer({ min: 1, max: 100 }),
        async (files, step) => {
          const body = Buffer.concat(
            files.map(({ name, content }) => frame({ relativePath: name, size: content.length }, Buffer.from(content))),
          )
          const frames = await read(body, step)
          expect(frames.map(({ relativePath, content }) => [relativePath, Buffer.from(content)])).toEqual(
            files.map(({ name, content }) => [name, Buffer.from(content)]),
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are refused as a whole when one is cut off or malformed', async () => {
    const good = frame({ relativePath: 'a', size: 3 }, Buffer.from('abc'))
    const bad = [
      good.subarray(0, good.length - 1),
      Buffer.concat([good, Buffer.alloc(3)]),
      frame('{'),
      frame('[]'),
      frame({ relativePath: 'a' }),
      frame({ relativePath: 'a', size: -1 }),
      frame({ relativePath: 'a', size: 1.5 }),
      frame({ relativePath: '', size: 0 }),
      frame({ relativePath: 'a', size: 0, more: 1 }),
      frame({ relativePath: 'a', size: 0, conflict: 'whatever' }),
      frame({ relativePath: 'x'.repeat(20_000), size: 0 }),
      Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]),
    ]
    for (const body of bad) await expect(read(body)).rejects.toMatchObject({ code: 'UPLOAD_PART_INVALID' })
  })

  it('are at most 10,000', async () => {
    const one = frame({ relativePath: 'a', size: 0 })
    const body = Buffer.concat(Array.from({ length: PACK_MAX_FILES + 1 }, () => one))
    await expect(read(body)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    expect(await read(body.subarray(one.length))).toHaveLength(PACK_MAX_FILES)
  })

  it('stop at the signal while the sender is silent', async () => {
    const stop = new AbortController()
    async function* silent(): AsyncGenerator<Uint8Array, void, void> {
      yield Buffer.alloc(1)
      await new Promise(() => {})
    }
    const reading = readFrames(silent(), { length: undefined, signal: stop.signal })
    stop.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
  })
})
