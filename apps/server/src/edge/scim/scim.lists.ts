import { AppError } from '../../kernel/errors.ts'
import { RESULTS_MAX } from './scim.discovery.ts'

const COUNT = 100

/** Which part of a list is asked for, RFC 7644 §3.4.2.4. @throws AppError SCIM_VALUE_INVALID */
export function windowOf(query: URLSearchParams): { readonly offset: number; readonly limit: number } {
  const first = numberIn(query, 'startIndex') ?? 1
  const count = numberIn(query, 'count') ?? COUNT
  return { offset: Math.max(1, first) - 1, limit: Math.min(RESULTS_MAX, Math.max(0, count)) }
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw new AppError('SCIM_VALUE_INVALID', { attribute: name })
  return Number(text)
}

/** A page of a list. */
export function listOfResources(resources: readonly object[], total: number, offset: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: total, startIndex: offset + 1, itemsPerPage: resources.length },
    Resources: resources,
  }
}

/** What is shown whatever a request asks for. */
const ALWAYS = new Set(['schemas', 'id', 'meta'])

/** A resource with the attributes that a request wants, RFC 7644 §3.9: whole attributes only. */
export function shown(resource: object, query: URLSearchParams): object {
  const only = namesIn(query, 'attributes')
  const without = namesIn(query, 'excludedAttributes')
  if (only.size === 0 && without.size === 0) return resource
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      const key = name.toLowerCase()
      return ALWAYS.has(key) || (!without.has(key) && (only.size === 0 || only.has(key)))
    }),
  )
}

/** Whether a request wants to see an attribute. */
export function wants(query: URLSearchParams, name: string): boolean {
  return name in shown({ [name]: true }, query)
}

/** Names without their schema, and without the part that follows a dot; a schema by itself is a name of its own. */
function namesIn(query: URLSearchParams, key: string): ReadonlySet<string> {
  const names = (query.get(key) ?? '').toLowerCase().split(',')
  return new Set(
    names
      .map((name) => name.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, ''))
      .map((name) => (name.startsWith('urn:') ? (/^urn:.*:user/.exec(name)?.[0] ?? name) : (name.split('.')[0] ?? '')))
      .filter((name) => name !== ''),
  )
}
