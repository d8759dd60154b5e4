import { routes } from '@godwit/contract/table'
import { visits } from '@godwit/contract/table/visits'
import { ApiError } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import { createStore } from '../../../lib/store.ts'
import { askAhead } from './ask-ahead.ts'
import type { Visit } from './visit.ts'

const ANSWERS: Readonly<Record<string, unknown>> = {
  [routes.site.website.path]: { productNameEN: 'Godwit' },
  [visits.info.path]: { title: 'Plans' },
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** A visit whose server opens the link or not, and the calls that reached it. */
function visitOf(verified: object | ApiError) {
  const calls: string[] = []
  const call = (route: { readonly path: string }, _input: object, options?: { readonly token?: string | null }) => {
    calls.push(`${route.path} ${options?.token ?? ''}`.trim())
    if (route.path !== visits.verify.path) return Promise.resolve(ANSWERS[route.path])
    return verified instanceof ApiError ? Promise.reject(verified) : Promise.resolve(verified)
  }
  const session = createStore(undefined)
  return { calls, visit: { linkId: 'abc', session, api: { call }, personalToken: undefined } as unknown as Visit }
}

describe('the first answers of a link', () => {
  it('are asked for at once, and go to whoever asks first', async () => {
    const { calls, visit } = visitOf({ result: true, token: 't' })
    const { api } = askAhead(visit, NOTHING)
    expect(calls).toHaveLength(2)
    const body = { url: 'abc' }
    expect(await api.call(visits.verify, { body })).toMatchObject({ token: 't' })
    expect(await api.call(routes.site.website, {})).toEqual({ productNameEN: 'Godwit' })
    expect(await api.call(visits.info, { query: {} })).toEqual({ title: 'Plans' })
    expect(calls).toHaveLength(3)
    expect(calls.at(-1)).toBe(`${visits.info.path} t`)
    await api.call(visits.verify, { body })
    expect(calls).toHaveLength(4)
  })

  it('end with the question for a password, and report a failure to whoever asks', async () => {
    const locked = visitOf({ result: false, token: '' })
    const asked = askAhead(locked.visit, NOTHING)
    await asked.api.call(visits.verify, { body: { url: 'abc' } })
    expect(locked.calls).toEqual([routes.site.website.path, visits.verify.path])
    const over = visitOf(new ApiError({ code: 1041, message: 'expired' }))
    const { api } = askAhead(over.visit, NOTHING)
    await expect(api.call(visits.verify, { body: { url: 'abc' } })).rejects.toMatchObject({ code: 1041 })
  })

  it('are not asked for when they came with the page, and then only once', async () => {
    const { calls, visit } = visitOf({ result: false, token: '' })
    const given = new Map<string, unknown>([
      [routes.site.website.path, { productNameEN: 'Parcel' }],
      [visits.verify.path, { result: false, code: 5602 }],
    ])
    const { api } = askAhead(visit, given)
    const body = { url: 'abc' }
    expect(await api.call(routes.site.website, {})).toEqual({ productNameEN: 'Parcel' })
    expect(await api.call(visits.verify, { body })).toMatchObject({ code: 5602 })
    expect(calls).toEqual([])
    await api.call(visits.verify, { body })
    expect(calls).toEqual([visits.verify.path])
  })

  it('of a link that asks for nothing begin a visit, and show the link at once', async () => {
    const { calls, visit } = visitOf({ result: true, token: 't' })
    const { api, looked } = askAhead(visit, new Map([[visits.info.path, { title: 'Drawings' }]]))
    expect(looked).toEqual({ title: 'Drawings' })
    await api.call(visits.verify, { body: { url: 'abc' } })
    expect(await api.call(visits.info, { query: {} })).toEqual({ title: 'Drawings' })
    expect(calls).toEqual([routes.site.website.path, visits.verify.path])
  })

  it('are those of the visit that is under way', async () => {
    const { calls, visit } = visitOf({ result: true, token: 't' })
    visit.session.set({ token: 'kept' } as never)
    const { api, looked } = askAhead(visit, new Map([[visits.info.path, { title: 'Drawings' }]]))
    expect(looked).toBeUndefined()
    expect(await api.call(visits.info, { query: {} })).toEqual({ title: 'Plans' })
    expect(calls).toEqual([routes.site.website.path, visits.info.path])
  })
})
