import { describe, expect, it } from 'vitest'
import { runCommand, runSteps } from './steps.ts'

describe('steps', () => {
  it('end with their outcomes in the order given, whichever ends first', async () => {
    let release: (said: string) => void = () => undefined
    const first = new Promise<string>((resolve) => (release = resolve))
    const second = async (): Promise<string> => {
      release('late')
      return 'early'
    }
    const outcomes = await runSteps(
      [
        { name: 'first', work: () => first },
        { name: 'second', work: second },
      ],
      2,
    )
    expect(outcomes.map(({ name, output }) => [name, output])).toEqual([
      ['first', 'late'],
      ['second', 'early'],
    ])
  })

  it('keep what a failing one says', async () => {
    const [outcome] = await runSteps([{ name: 'bad', work: () => Promise.reject(new Error('drift')) }], 1)
    expect(outcome).toMatchObject({ ok: false, output: 'drift' })
  })
})

describe('a command', () => {
  it('runs on the version of Node that the repository pins', async () => {
    const { ok, output } = await runCommand({ argv: ['node', '--version'] })
    expect({ ok, output }).toEqual({ ok: true, output: `${process.version}\n` })
  })

  it('fails with its exit code and keeps both of its streams', async () => {
    const { ok, output } = await runCommand({ argv: ['sh', '-c', 'echo out; echo err >&2; exit 3'] })
    expect(ok).toBe(false)
    expect(output).toContain('out')
    expect(output).toContain('err')
  })

  it('fails when there is no such program', async () => {
    expect(await runCommand({ argv: ['no-such-program'] })).toMatchObject({ ok: false })
  })

  it('gets no standard input', async () => {
    expect(await runCommand({ argv: ['cat'] })).toEqual({ ok: true, output: '' })
  })

  it('is ended with all that it started when it takes too long', async () => {
    const { ok, output } = await runCommand({ argv: ['sh', '-c', 'sleep 1000 & wait'], timeoutMs: 50 })
    expect(ok).toBe(false)
    expect(output).toContain('too slow')
  })
})
