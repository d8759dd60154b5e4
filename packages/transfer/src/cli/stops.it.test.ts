import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB, seededRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GwtProgram } from '../testing/programs.ts'
import { EXIT } from './arguments.ts'

let folder: string
let programs: GwtProgram[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gwt-stops-'))
  programs = []
})
afterEach(async () => {
  for (const program of programs) await program.stop()
  await rm(folder, { recursive: true })
})

function run(...words: string[]): GwtProgram {
  const program = new GwtProgram(words)
  programs.push(program)
  return program
}

async function receive(...words: string[]): Promise<{ receiver: GwtProgram; host: string }> {
  const receiver = run('recv', join(folder, 'in'), '--host', '127.0.0.1', '--port', '0', ...words)
  const { port } = await receiver.named('listening')
  return { receiver, host: `127.0.0.1:${String(port)}` }
}

/** A sender in the middle of a file that takes minutes. */
async function sendSlowly(host: string): Promise<GwtProgram> {
  const file = join(folder, 'a.bin')
  await writeFile(file, Buffer.alloc(64 * MiB, seededRandom(5).fill(new Uint8Array(MiB))))
  const sender = run('send', file, host, '--rate', '8M')
  await sender.until(({ event, bytesDone }) => event === 'progress' && Number(bytesDone) > 0)
  return sender
}

describe('gwt that is stopped or cannot begin', () => {
  it('notifies the receiver that the sender cancelled, and the same command brings the rest', async () => {
    const { receiver, host } = await receive()
    const sender = await sendSlowly(host)
    sender.child.kill('SIGTERM')
    expect(await sender.exitCode()).toBe(EXIT.failed)
    expect(sender.events.at(-1)).toMatchObject({ event: 'error', code: 'CANCELLED' })
    expect(await receiver.named('failed')).toMatchObject({ code: 'CANCELLED', by: 'sender' })

    const again = run('send', join(folder, 'a.bin'), host)
    expect(await again.exitCode()).toBe(EXIT.done)
    expect(Number((await again.named('done'))['keptBytes'])).toBeGreaterThan(0)
    const arrived = await readFile(join(folder, 'in', 'a.bin'))
    expect(arrived.equals(await readFile(join(folder, 'a.bin')))).toBe(true)
    await receiver.named('done')
    expect(await readdir(join(folder, 'in'))).toEqual(['a.bin'])
  })

  it('ends a receiver with a code that says its transfer is not in place, and its sender as refused', async () => {
    const { receiver, host } = await receive()
    const sender = await sendSlowly(host)
    receiver.child.kill('SIGTERM')
    expect(await receiver.exitCode()).toBe(EXIT.failed)
    expect(receiver.events.at(-1)).toMatchObject({ event: 'failed', code: 'CANCELLED' })
    expect(await sender.exitCode()).toBe(EXIT.refused)
  })

  it.each(['sender', 'receiver'])('ends like one that is stopped when nobody reads what the %s says', async (which) => {
    const { receiver, host } = await receive()
    const sender = await sendSlowly(host)
    const [deaf, other] = which === 'sender' ? [sender, receiver] : [receiver, sender]
    deaf.child.stdout?.destroy()
    // Standard error goes to the tests' own: a trace of an error would be seen there, and the code would be another one.
    expect(await deaf.exitCode()).toBe(EXIT.failed)
    if (which === 'sender') expect(await other.named('failed')).toMatchObject({ code: 'CANCELLED', by: 'sender' })
    else expect(await other.exitCode()).toBe(EXIT.refused)
  })

  it('says that the code is the wrong one, and tries no second time', async () => {
    const { host } = await receive()
    await writeFile(join(folder, 'a.bin'), 'a')
    await writeFile(join(folder, 'code'), 'the code of others\n')
    const sender = run('send', join(folder, 'a.bin'), host, '--code-file', join(folder, 'code'))
    expect(await sender.exitCode()).toBe(EXIT.refused)
    expect(sender.events).toMatchObject([{ event: 'error', code: 'PEER_REFUSED' }])
    expect(sender.events[0]?.['message']).toMatch('the code is not the one that gwt recv shows')
  })

  it('ends when the port is taken', async () => {
    const { host } = await receive()
    const second = run('recv', join(folder, 'in'), '--host', '127.0.0.1', '--port', host.split(':')[1] ?? '')
    expect(await second.exitCode()).toBe(EXIT.failed)
    expect(second.events[0]?.['message']).toMatch('EADDRINUSE')
  })

  it('ends as cancelled while it waits for somebody to listen', async () => {
    await writeFile(join(folder, 'a.bin'), 'a')
    const { receiver, host } = await receive()
    await receiver.stop()
    const sender = run('send', join(folder, 'a.bin'), host)
    await sender.named('retry')
    sender.child.kill('SIGINT')
    expect(await sender.exitCode()).toBe(EXIT.failed)
    expect(sender.events.at(-1)).toMatchObject({ event: 'error', code: 'CANCELLED' })
  })
})
