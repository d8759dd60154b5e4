import { parse, type AttrExp, type Filter } from 'scim2-parse-filter'
import type { Condition, TextTest } from '../../identity/provisioning/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { hasControls } from '../../kernel/plain-text.ts'

const FILTER_MAX = 2_000
/** Comparisons and joints in one filter. */
const PARTS_MAX = 60

/** What the attributes of a resource are called in a search, by their names in lower case; `active` is apart. */
export type Searchable<Field extends string> = Readonly<Record<string, Field | 'active'>>

/**
 * A filter of RFC 7644 §3.4.2.2 as a search.
 * @throws AppError SCIM_FILTER_INVALID
 */
export function conditionOf<Field extends string>(text: string, fields: Searchable<Field>): Condition<Field> {
  return translate(parsed(text), { fields, prefix: '', left: { parts: PARTS_MAX } })
}

/** @throws AppError SCIM_FILTER_INVALID */
export function parsed(text: string): Filter {
  // The parser takes exponential time for line breaks behind a quote that is never closed.
  if (text.length > FILTER_MAX || hasControls(text)) throw wrong()
  try {
    return parse(text)
  } catch (cause) {
    throw new AppError('SCIM_FILTER_INVALID', undefined, { cause })
  }
}

interface Translation<Field extends string> {
  readonly fields: Searchable<Field>
  /** Of the attribute whose brackets the filter is in. */
  readonly prefix: string
  readonly left: { parts: number }
}

function translate<Field extends string>(filter: Filter, how: Translation<Field>): Condition<Field> {
  if (--how.left.parts < 0) throw wrong()
  if ('filters' in filter) {
    const parts = filter.filters.map((each) => translate(each, how))
    return filter.op === 'and' ? { all: parts } : { any: parts }
  }
  if (filter.op === 'not') return { not: translate(filter.filter, how) }
  if (filter.op === '[]') return translate(filter.valFilter, { ...how, prefix: `${nameOf(filter.attrPath)}.` })
  return comparison(filter, how)
}

function comparison<Field extends string>(
  { op, attrPath, ...rest }: AttrExp,
  { fields, prefix }: Translation<Field>,
): Condition<Field> {
  const name = prefix + nameOf(attrPath)
  // There is one address and one number of each person, so its type says nothing.
  if (op === 'eq' && /^(?:emails|phonenumbers)\.(?:type|primary)$/.test(name)) return { all: [] }
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const value: unknown = 'compValue' in rest ? rest.compValue : ''
  if (field === undefined) throw wrong()
  if (field === 'active') {
    const isTrue = value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
    if (op === 'pr') return { all: [] }
    if (op !== 'eq' && op !== 'ne') throw wrong()
    return { isActive: (op === 'eq') === isTrue }
  }
  if (!isTextTest(op) || typeof value !== 'string') throw wrong()
  return { field, test: op, value }
}

function isTextTest(op: string): op is TextTest {
  return ['eq', 'ne', 'co', 'sw', 'ew', 'pr'].includes(op)
}

const CORE = /^urn:ietf:params:scim:schemas:(?:core:2\.0:(?:user|group)|extension:enterprise:2\.0:user):/

/** A name without its schema, in lower case: names are compared so. */
function nameOf(attribute: string): string {
  return attribute.toLowerCase().replace(CORE, '')
}

function wrong(): AppError {
  return new AppError('SCIM_FILTER_INVALID')
}
