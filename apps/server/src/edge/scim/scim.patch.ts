import { filter as matcherOf } from 'scim2-parse-filter'
import { AppError } from '../../kernel/errors.ts'
import { noTarget } from './scim.answers.ts'
import { parsed } from './scim.filter.ts'

/**
 * What PATCH does to an attribute:
 * - one: a single value
 * - parts: one value with named parts
 * - many: any number of values with named parts
 * - ignored: taken and not kept
 * - fixed: kept by this server alone
 */
export type AttributeKind = 'one' | 'parts' | 'many' | 'ignored' | 'fixed'

export interface AttributeSpec {
  /** As it is written. */
  readonly name: string
  readonly kind: AttributeKind
  /** As they are written; others are ignored. */
  readonly parts?: readonly string[]
}

/** Attributes by their names in lower case. Nothing but what stands here is ever written, whatever a request calls it. */
export type Attributes = Readonly<Record<string, AttributeSpec>>

export type Value = string | boolean | Part | readonly Part[]
export type Part = Readonly<Record<string, string | boolean>>
export type Resource = Readonly<Record<string, Value>>

const OPS = ['add', 'remove', 'replace'] as const
type Op = (typeof OPS)[number]

/** One step of a change, on an attribute that there is. */
export interface Step {
  readonly op: Op
  readonly spec: AttributeSpec
  readonly filter?: string | undefined
  readonly part?: string | undefined
  readonly value: unknown
}

const OPERATIONS_MAX = 1000
const MESSAGE = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The single operations of a PATCH. @throws AppError SCIM_BODY_INVALID */
function operationsOf(body: unknown): ReadonlyArray<{ op: Op; path: string | undefined; value: unknown }> {
  const { schemas, Operations: operations } = (body ?? {}) as {
    readonly schemas?: unknown
    readonly Operations?: unknown
  }
  if (!Array.isArray(schemas) || !schemas.includes(MESSAGE)) throw new AppError('SCIM_BODY_INVALID')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > OPERATIONS_MAX)
    throw new AppError('SCIM_BODY_INVALID')
  return operations.map((operation: unknown) => {
    const { op, path, value } = (operation ?? {}) as { op?: unknown; path?: unknown; value?: unknown }
    // Entra ID writes "Replace".
    const known = OPS.find((name) => typeof op === 'string' && name === op.toLowerCase())
    const isPath = path === undefined || path === null || typeof path === 'string'
    if (known === undefined || !isPath) throw new AppError('SCIM_BODY_INVALID')
    return { op: known, path: path ?? undefined, value }
  })
}

/**
 * A resource after a PATCH (RFC 7644 §3.5.2), in the dialects of Entra ID and Okta: with paths and without, values in lists of one,
 * and parts named within the value.
 * @throws AppError SCIM_BODY_INVALID, SCIM_PATH_INVALID, SCIM_VALUE_INVALID, SCIM_READ_ONLY
 */
export function patched(resource: Resource, body: unknown, attributes: Attributes): Resource {
  return stepsIn(body, attributes).reduce(apply, resource)
}

/** What a PATCH does, attribute by attribute. @throws AppError as {@link patched} */
export function stepsIn(body: unknown, attributes: Attributes): Step[] {
  return operationsOf(body).flatMap((operation) => stepsOf(operation, attributes))
}

function stepsOf(
  { op, path, value }: { readonly op: Op; readonly path: string | undefined; readonly value: unknown },
  attributes: Attributes,
): Step[] {
  if (path !== undefined) return stepOf({ op, path, value }, attributes)
  if (op === 'remove') throw noTarget()
  // What such a request names besides is left alone, as in one that describes a whole resource: Okta repeats the id.
  const kept = pathsIn(value).filter(([key]) => !['fixed', undefined].includes(specOf(key, attributes)?.kind))
  return kept.flatMap(([key, each]) => stepOf({ op, path: key, value: each }, attributes))
}

/** Values by their paths, in a request that has no path; a schema's name holds paths of its own. */
function pathsIn(value: unknown): Array<[string, unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('SCIM_BODY_INVALID')
  return Object.entries(value).flatMap(([key, each]): Array<[string, unknown]> => {
    if (key === 'schemas') return []
    if (!/^urn:[^[\]]*:(?:user|group)$/i.test(key)) return [[key, each]]
    return pathsIn(each).map(([inner, held]): [string, unknown] => [`${key}:${inner}`, held])
  })
}

const SCHEMA = /^urn:ietf:params:scim:schemas:(?:core:2\.0:(?:User|Group)|extension:enterprise:2\.0:User):/i
const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/

function stepOf(
  { op, path, value }: { readonly op: Op; readonly path: string; readonly value: unknown },
  attributes: Attributes,
): Step[] {
  const [, , filter, sub] = PATH.exec(path.replace(SCHEMA, '')) ?? []
  const spec = specOf(path, attributes)
  if (spec === undefined) throw new AppError('SCIM_PATH_INVALID')
  if (spec.kind === 'fixed') throw new AppError('SCIM_READ_ONLY', { attribute: spec.name })
  if (spec.kind === 'ignored') return []
  if (filter !== undefined && spec.kind !== 'many') throw new AppError('SCIM_PATH_INVALID')
  const part = sub === undefined ? undefined : spec.parts?.find((each) => each.toLowerCase() === sub.toLowerCase())
  if (sub !== undefined && part === undefined) {
    // A part that is known elsewhere and not kept here, as all of an attribute may be.
    if (spec.parts !== undefined) return []
    throw new AppError('SCIM_PATH_INVALID')
  }
  return [{ op, spec, filter, part, value }]
}

function specOf(path: string, attributes: Attributes): AttributeSpec | undefined {
  const key = PATH.exec(path.replace(SCHEMA, ''))?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined
}

function apply(resource: Resource, step: Step): Resource {
  const { op, spec, part } = step
  const { [spec.name]: held, ...others } = resource
  const value = spec.kind === 'many' ? manyAfter((held ?? []) as readonly Part[], step) : undefined
  if (value !== undefined) return { ...others, [spec.name]: value }
  if (op === 'remove' && part === undefined) return others
  if (spec.kind === 'one') return { ...others, [spec.name]: single(step.value, spec.name) }
  const parts = (held ?? {}) as Part
  if (part === undefined) return { ...others, [spec.name]: { ...parts, ...partOf(step.value, spec) } }
  const { [part]: _gone, ...rest } = parts
  return {
    ...others,
    [spec.name]: op === 'remove' ? rest : { ...rest, [part]: single(step.value, `${spec.name}.${part}`) },
  }
}

function manyAfter(held: readonly Part[], step: Step): readonly Part[] {
  const { op, spec, filter, part, value } = step
  if (filter === undefined && part === undefined) return listAfter(held, step)
  const fits = filter === undefined ? () => true : fitting(filter)
  const isFound = held.some(fits)
  if (op === 'remove') {
    if (part === undefined) return held.filter((each) => !fits(each))
    return held.map((each) => (fits(each) ? without(each, part) : each))
  }
  const wanted = part === undefined ? partOf(value, spec) : { [part]: single(value, `${spec.name}.${part}`) }
  if (isFound) return held.map((each) => (fits(each) ? { ...each, ...wanted } : each))
  // There is none of this type yet: both systems expect it to be made (RFC 7644 §3.5.2.3 for a path without a filter).
  return [...held, { ...namedIn(filter), ...wanted }]
}

/** All values at once, or some of them. */
function listAfter(held: readonly Part[], { op, spec, value }: Step): readonly Part[] {
  if (op === 'remove' && (value === undefined || value === null)) return []
  const given = listOf(value).map((each) => partOf(each, spec))
  if (op === 'replace') return given
  const isSame = (a: Part, b: Part) => a['value'] === b['value']
  if (op === 'remove') return held.filter((each) => !given.some((gone) => isSame(each, gone)))
  return [...held.filter((each) => !given.some((added) => isSame(each, added))), ...given]
}

function fitting(filter: string): (part: Part) => boolean {
  try {
    return matcherOf(parsed(filter))
  } catch (cause) {
    throw new AppError('SCIM_PATH_INVALID', undefined, { cause })
  }
}

/** What a filter says of the value that it looks for: `type eq "work"`. @throws AppError SCIM_PATH_INVALID as noTarget */
function namedIn(filter: string | undefined): Part {
  if (filter === undefined) return {}
  const { op, ...rest } = parsed(filter)
  if (op !== 'eq' || !('compValue' in rest)) throw noTarget()
  const { attrPath, compValue } = rest
  const name = attrPath.toLowerCase()
  if ((name !== 'type' && name !== 'primary') || typeof compValue === 'number' || compValue === null) throw noTarget()
  return { [name]: compValue }
}

function without(part: Part, name: string): Part {
  return Object.fromEntries(Object.entries(part).filter(([each]) => each !== name))
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** A value with parts, with those parts alone that there are. A bare text is its `value`. @throws AppError SCIM_VALUE_INVALID */
export function partOf(value: unknown, { name, parts = [] }: AttributeSpec): Part {
  if (typeof value === 'string' && parts.includes('value')) return { value }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('SCIM_VALUE_INVALID', { attribute: name })
  const given = new Map(Object.entries(value).map(([key, held]) => [key.toLowerCase(), held as unknown]))
  return Object.fromEntries(
    parts.flatMap((part) => {
      const held = given.get(part.toLowerCase())
      return held === undefined || held === null ? [] : [[part, single(held, `${name}.${part}`)]]
    }),
  )
}

/** @throws AppError SCIM_VALUE_INVALID */
export function single(value: unknown, attribute: string): string | boolean {
  // Some send a list of one, or one with parts that has nothing but its value.
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const held: unknown = typeof only === 'object' && only !== null && 'value' in only ? only.value : only
  if (held === null || held === undefined) return ''
  if (typeof held === 'string' || typeof held === 'boolean') return held
  if (typeof held === 'number') return String(held)
  throw new AppError('SCIM_VALUE_INVALID', { attribute })
}
