import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { HEIC } from '@godwit/testkit'
import { describe, expect, it } from 'vitest'
import { createDecoder } from './decoder.ts'
import { log, never, pictureSite, sourceOf } from './testing/picture-site.ts'

const site = pictureSite()
const { open } = site

/** A program in the decoder's place. */
function program(source: string): string {
  const file = path.join(site.folder, `${Math.abs(source.length)}-${source.slice(0, 4)}.mjs`)
  fs.writeFileSync(file, source)
  return file
}

describe('a decoder', () => {
  it('has no network, no files of the server and none of its secrets', async () => {
    const secret = path.join(os.tmpdir(), path.basename(site.folder), 'secret')
    fs.writeFileSync(secret, 'secret')
    const spy = path.join(fs.mkdtempSync(path.join(site.folder, 'spy-')), 'spy.mjs')
    fs.writeFileSync(
      spy,
      `import { readFileSync } from 'node:fs'
       import { connect } from 'node:net'
       import { spawnSync } from 'node:child_process'
       const attempt = (work) => { try { work(); return 'done' } catch (error) { return error.code } }
       const found = {
         file: attempt(() => readFileSync(${JSON.stringify(secret)})),
         net: await new Promise((resolve) => connect(1, '127.0.0.1').on('error', (error) => resolve(error.code))),
         child: attempt(() => spawnSync('true')),
         environment: Object.keys(process.env).toSorted().join(),
       }
       process.stderr.write(JSON.stringify(found))
       process.exit(3)`,
    )
    const seen: Array<{ readonly err?: unknown }> = []
    const spied = createDecoder({ log: { ...log, warn: (fields) => void seen.push(fields) }, program: spy })
    await expect(open(spied).make(sourceOf(HEIC, { identity: 'spy' }), 256, never)).rejects.toThrow(
      'PREVIEW_UNSUPPORTED',
    )
    spied.stop()
    const [{ err } = {}] = seen
    expect(String(err)).toContain('"file":"ERR_ACCESS_DENIED","net":"ERR_ACCESS_DENIED","child":"ERR_ACCESS_DENIED"')
    expect(String(err)).toMatch(/"environment":"MALLOC_ARENA_MAX,PATH(?:,PWD)?(?:,SHLVL)?(?:,_)?"/)
  })

  it('is ended when it does not answer, and another one takes over', async () => {
    const deaf = createDecoder({ log, program: program('setInterval(() => {}, 1000)'), startMs: 300 })
    const source = sourceOf(HEIC, { identity: 'deaf' })
    await expect(open(deaf).make(source, 256, never)).rejects.toThrow('PREVIEW_UNSUPPORTED')
    await expect(open(deaf).make(sourceOf(HEIC, { identity: 'deaf2' }), 256, never)).rejects.toThrow(
      'PREVIEW_UNSUPPORTED',
    )
    deaf.stop()
  })

  it('has its whole time for a picture, however long its start took', async () => {
    const busy = program(`
      const frame = (bytes) => {
        const head = Buffer.alloc(4)
        head.writeUInt32BE(bytes.length)
        process.stdout.write(Buffer.concat([head, bytes]))
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
      frame(Buffer.alloc(0))
      process.stdin.once('data', () => {
        frame(Buffer.from('{"memory":0}'))
        frame(Buffer.from('a picture'))
      })`)
    const late = createDecoder({ log, program: busy, limitMs: 2_000 })
    const { content } = await open(late).make(sourceOf(HEIC, { identity: 'late' }), 256, never)
    expect(new TextDecoder().decode(content)).toBe('a picture')
    late.stop()
    const mute = createDecoder({
      log,
      program: program('process.stdout.write(Buffer.alloc(4)); setInterval(() => {}, 9)'),
      limitMs: 300,
    })
    await expect(open(mute).make(sourceOf(HEIC, { identity: 'mute' }), 256, never)).rejects.toThrow(
      'PREVIEW_UNSUPPORTED',
    )
    mute.stop()
  })

  it('that died fails what it had, and nothing hangs', async () => {
    for (const source of [
      'process.exit(1)',
      'process.abort()',
      'process.stdout.write("\\xff\\xff\\xff\\xff\\xff")',
      'throw new Error("x")',
    ]) {
      const dead = createDecoder({ log, program: program(source) })
      const large = sourceOf(new Uint8Array(5 * MiB), { identity: source })
      await expect(open(dead).make(large, 256, never)).rejects.toThrow('PREVIEW_UNSUPPORTED')
      dead.stop()
    }
    const missing = createDecoder({ log, program: path.join(site.folder, 'missing.mjs') })
    await expect(open(missing).make(sourceOf(HEIC, { identity: 'no' }), 256, never)).rejects.toThrow(
      'PREVIEW_UNSUPPORTED',
    )
    missing.stop()
  })

  it('passes on what reading the file throws, keeps no fault for it, and goes on with the next', async () => {
    const broken = sourceOf(HEIC, {
      identity: 'broken',
      bytes: 2 * MiB,
      async *read() {
        yield new Uint8Array(MiB)
        throw new Error('the disk is gone')
      },
    })
    await expect(site.pictures.make(broken, 256, never)).rejects.toThrow('the disk is gone')
    const whole = await site.pictures.make(sourceOf(HEIC, { identity: 'broken' }), 256, never)
    expect(whole.content.length).toBeGreaterThan(0)
  })

  it('stops reading for somebody who went away, and serves everybody in turn', async () => {
    const leave = new AbortController()
    const reading = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const slow = sourceOf(HEIC, {
      identity: 'slow',
      async *read(signal) {
        try {
          reading.resolve()
          yield await new Promise<Uint8Array>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('left')), { once: true }),
          )
        } finally {
          ended.resolve()
        }
      },
    })
    const first = site.pictures.make(slow, 256, leave.signal)
    await reading.promise
    const order: string[] = []
    const looked = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
    const ask = (owner: string, at: number): Promise<unknown> => {
      const isPicture = (): Promise<boolean> => {
        looked[at]?.resolve()
        return Promise.resolve(true)
      }
      const source = sourceOf(HEIC, { owner, identity: `${owner} ${at}`, isPicture })
      // By when they are read: what has been drawn is kept first, and disks take as long as they like.
      const read = (signal: AbortSignal): AsyncIterable<Uint8Array> => {
        order.push(owner)
        return source.read(signal)
      }
      return site.pictures.make({ ...source, read }, 256, never)
    }
    const queued = ['many', 'many', 'many', 'many', 'many'].map(ask)
    await Promise.all(looked.slice(0, 5).map(({ promise }) => promise))
    queued.push(ask('one', 5))
    await looked[5]?.promise
    // All of them wait in the queue, once what follows from the look has run.
    await new Promise((resolve) => setImmediate(resolve))
    leave.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    await ended.promise
    await Promise.all(queued)
    expect(order.slice(0, 2)).toEqual(['many', 'one'])
  })

  it('takes no more requests than may wait', async () => {
    const hold = new AbortController()
    const held = sourceOf(HEIC, {
      identity: 'held',
      async *read(signal) {
        yield await new Promise<Uint8Array>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('end'))),
        )
      },
    })
    const all = Array.from({ length: 65 }, (_, at) =>
      site.pictures
        .make({ ...held, identity: `held ${at}` }, 256, hold.signal)
        .catch((thrown: unknown) => String(thrown)),
    )
    expect(await Promise.race(all)).toContain('SERVER_BUSY')
    hold.abort(new Error('end'))
    expect(
      (await Promise.all(all)).filter((answer) => typeof answer === 'string' && answer.includes('SERVER_BUSY')),
    ).toHaveLength(1)
  })
})
