import type { LinkInfo } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { visits } from '@godwit/contract/table/visits'
import { personOf, type Visit } from './visit.ts'

/**
 * Asks for what the first screen needs while the texts to draw it with are still on their way, unless it came with the page. The
 * first caller of each route gets the answer, or the failure; later ones ask for themselves.
 */
export function askAhead(visit: Visit, given: ReadonlyMap<string, unknown>): Visit {
  const { api, session, linkId } = visit
  const asked = new Map([...given].map(([path, answer]) => [path, Promise.resolve(answer as never)]))
  // Only the beginning of the list: the visit asks for the whole.
  asked.delete(visits.list.path)
  // A visit under way knows more than somebody who comes anew, such as that its guest filled the form in.
  if (session.get() !== undefined) asked.delete(visits.info.path)
  const ahead = <Data>({ path }: { readonly path: string }, answer: Promise<Data>): Promise<Data> => {
    // Whoever takes the answer hears of the failure.
    answer.catch(() => undefined)
    asked.set(path, answer as Promise<never>)
    return answer
  }
  const take = (path: string): Promise<never> | undefined => {
    const answer = asked.get(path)
    asked.delete(path)
    return answer
  }
  if (!given.has(routes.site.website.path)) void ahead(routes.site.website, api.call(routes.site.website, {}))
  if (session.get() !== undefined) void ahead(visits.info, api.call(visits.info, { query: {} }))
  else if (!given.has(visits.verify.path)) {
    const body = { url: linkId, ...personOf(visit, undefined) }
    const followUp = ({ result, token }: { readonly result: boolean; readonly token: string }): void => {
      if (result && !asked.has(visits.info.path))
        void ahead(visits.info, api.call(visits.info, { query: {} }, { token }))
    }
    ahead(visits.verify, api.call(visits.verify, { body })).then(followUp, () => undefined)
  }
  const isNew = session.get() === undefined
  return {
    ...visit,
    looked: isNew ? (given.get(visits.info.path) as LinkInfo | undefined) : undefined,
    listed: isNew ? (given.get(visits.list.path) as Visit['listed']) : undefined,
    api: { ...api, call: (route, input, options) => take(route.path) ?? api.call(route, input, options) },
  }
}
