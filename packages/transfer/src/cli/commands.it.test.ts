import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_BYTES, seededRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GwtProgram } from '../testing/programs.ts'
import { type GwtRun, runGwt } from '../testing/run-gwt.ts'
import { EXIT } from './arguments.ts'

const bytes = Buffer.alloc(3 * LEAF_BYTES + 77, seededRandom(8).fill(new Uint8Array(LEAF_BYTES + 1)))

let folder: string
let receiver: GwtProgram | undefined
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gwt-commands-'))))
afterEach(async () => {
  await receiver?.stop()
  receiver = undefined
  await rm(folder, { recursive: true })
})

async function receive(...options: string[]): Promise<string> {
  const words = ['--host', '127.0.0.1', '--port', '0', ...options]
  receiver = new GwtProgram(['recv', join(folder, 'in'), ...words])
  return `127.0.0.1:${String((await receiver.named('listening'))['port'])}`
}

function send(...words: string[]): Promise<GwtRun> {
  return runGwt(['send', ...words])
}

describe('gwt at the shell', () => {
  it('prints a manual page with every command and option', async () => {
    const { code, stdout } = await runGwt(['man'])
    expect(code).toBe(EXIT.done)
    const page = join(folder, 'gwt.1')
    await writeFile(page, stdout)
    expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' })).toBe('')
    for (const words of ['gwt send PATH... HOST[:PORT]', '\\-\\-ignore\\-existing', 'gwt bench', '.TP\n.B 5'])
      expect(stdout.toString()).toContain(words)
  })

  it('says its version, has a help for each command, and refuses an option of another one', async () => {
    const version = await runGwt(['--version'])
    expect([version.code, version.stdout.toString()]).toEqual([EXIT.done, 'gwt 0.1.0\n'])
    for (const [command, option] of [
      ['send', '--ignore-existing'],
      ['recv', '--perms'],
      ['bench', '--files N'],
    ] as const) {
      const help = await runGwt([command, '--help'])
      expect([help.code, help.stdout.toString()]).toEqual([EXIT.done, expect.stringContaining(option)])
    }
    const wrong = await runGwt(['send', 'a', 'host', '--perms'])
    expect([wrong.code, wrong.stderr]).toEqual([EXIT.usage, expect.stringContaining("'--perms'")])
    expect((await runGwt(['fly'])).code).toBe(EXIT.usage)
  })

  it('sends standard input, and receives into standard output', async () => {
    const ready = Promise.withResolvers<string>()
    const words = ['recv', '-', '--once', '--host', '127.0.0.1', '--port', '0']
    const onStderr = (text: string): void => {
      const port = /Ready on port (\d+)/.exec(text)?.[1]
      if (port !== undefined) ready.resolve(port)
    }
    const streaming = runGwt(words, { onStderr })
    const host = `127.0.0.1:${await ready.promise}`
    const sent = await runGwt(['send', '-', host, '--name', 'a.bin'], { input: bytes })
    expect(sent).toMatchObject({ code: EXIT.done })
    const received = await streaming
    expect(received.code).toBe(EXIT.done)
    expect(received.stdout.equals(bytes)).toBe(true)
    expect(received.stderr).toContain('1 files')
  })

  it('skips what is there, keeps what is newer, and reports what it would do', async () => {
    const host = await receive()
    const file = join(folder, 'a.bin')
    await writeFile(file, bytes)
    await utimes(file, 1_600_000_000, 1_600_000_000)
    const first = await send(file, host)
    expect([first.code, first.stdout.toString()]).toEqual([
      EXIT.done,
      expect.stringContaining(
        'Kept: contents, names, times. Not kept: permissions beyond rwxr-x--- (recv --perms), links',
      ),
    ])
    expect((await send(file, host)).stdout.toString()).toContain('1 files (1 unchanged)')

    const there = join(folder, 'in/a.bin')
    await writeFile(there, 'newer')
    const dry = await send(file, host, '--dry-run')
    expect(dry.stdout.toString()).toContain('newer there, kept a.bin\n')
    const kept = await send(file, host)
    expect([kept.code, kept.stdout.toString()]).toEqual([
      EXIT.partial,
      expect.stringContaining('a.bin: kept, since it is newer'),
    ])
    expect(await readFile(there, 'utf8')).toBe('newer')
    expect((await send(file, host, '--update')).code).toBe(EXIT.done)
    expect((await send(file, host, '--overwrite')).code).toBe(EXIT.done)
    expect((await stat(there)).size).toBe(bytes.length)
  })

  it('lets a name with a line break fake no line', async () => {
    const host = await receive()
    await writeFile(join(folder, 'ok'), 'x')
    await writeFile(join(folder, 'a\n1 files, 9 bytes in 0.1 s\u001b[2J'), 'x')
    const { code, stdout } = await send(join(folder, 'ok'), join(folder, 'a\n1 files, 9 bytes in 0.1 s\u001b[2J'), host)
    expect(code).toBe(EXIT.partial)
    const lines = stdout.toString().split('\n')
    expect(lines.filter((line) => line.startsWith('1 files'))).toHaveLength(1)
    expect(lines).toContain('left out a\\u{a}1 files, 9 bytes in 0.1 s\\u{1b}[2J: PATH_REFUSED control-character')
  })
})

describe('gwt under an older Node', () => {
  const old = { node: ['-r', join(import.meta.dirname, '../testing/older-node.cjs')] }

  it('goes on with the Node that npm brought', async () => {
    const { code, stdout } = await runGwt(['--version'], old)
    expect([code, stdout.toString()]).toEqual([EXIT.done, 'gwt 0.1.0\n'])
    expect((await runGwt(['fly'], old)).code).toBe(EXIT.usage)
  })

  it('says in one line what is needed where there is none', async () => {
    const { code, stderr } = await runGwt(['--version'], { ...old, env: { GWT_STARTED_BY: 'v20.0.0' } })
    expect(code).toBe(EXIT.failed)
    expect(stderr).toBe(
      'gwt: Node 24.15 or newer is needed; this is v20.0.0. Run npm ci, which brings one along, or start gwt with a newer node.\n',
    )
  })
})
