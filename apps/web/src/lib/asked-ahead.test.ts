import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchAhead } from './asked-ahead.ts'

const ADDRESS = '/api/user/info'
const AS_MEI = { method: 'GET', headers: { authorization: 'Bearer mei' } }

/** What the page had asked ahead with Mei's token. */
function askAhead(answer: Promise<Response | undefined>): void {
  vi.stubGlobal('askedAhead', { token: 'mei', answers: new Map([[ADDRESS, answer]]) })
}

describe('a call that was asked ahead', () => {
  const asked: unknown[] = []
  beforeEach(() => {
    asked.length = 0
    vi.spyOn(performance, 'now').mockReturnValue(1_000)
    vi.stubGlobal('fetch', async (input: unknown) => {
      asked.push(input)
      return new Response('late')
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const text = async (init: RequestInit = AS_MEI): Promise<string> => (await fetchAhead(ADDRESS, init)).text()

  it('gets that answer, and the next call one of its own', async () => {
    askAhead(Promise.resolve(new Response('early')))
    expect(await text()).toBe('early')
    expect(await text()).toBe('late')
    expect(asked).toEqual([ADDRESS])
  })

  it.each([
    ['a refusal', Promise.resolve(new Response('', { status: 401 }))],
    ['no answer', Promise.resolve(undefined)],
  ])('asks by itself after %s', async (_name, answer) => {
    askAhead(answer)
    expect(await text()).toBe('late')
  })

  it.each([
    ['with another token', { ...AS_MEI, headers: { authorization: 'Bearer li' } }],
    ['to change something', { ...AS_MEI, method: 'PUT' }],
  ])('is another call %s', async (_name, init) => {
    askAhead(Promise.resolve(new Response('early')))
    expect(await text(init)).toBe('late')
  })

  it('is out of date after a minute', async () => {
    askAhead(Promise.resolve(new Response('early')))
    vi.spyOn(performance, 'now').mockReturnValue(60_000)
    expect(await text()).toBe('late')
  })

  it('ends for a caller who has gone', async () => {
    askAhead(Promise.resolve(new Response('early')))
    await expect(text({ ...AS_MEI, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    expect(asked).toEqual([])
  })

  it('is any call of a page that asked nothing', async () => {
    expect(await text()).toBe('late')
  })
})
