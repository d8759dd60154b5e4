import { KiB } from '@godwit/base'
import { Parser } from 'saxen'
import { AppError } from './errors.ts'

/** An element with its namespace resolved. */
export interface XmlElement {
  /** `{namespace}name`, or `name` without one. */
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>
  readonly children: ReadonlyArray<XmlElement | string>
  /** In force for the content, as `xml:lang` of it or of one around it. */
  readonly language: string | undefined
}

/** Requests of clients have some hundred bytes; dead properties may bring some more. */
export const XML_MAX_BYTES = 256 * KiB
/** Deeper nesting has no use, and writing it again would use up the stack. */
const DEPTH_MAX = 64

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

type Scope = Readonly<Record<string, string>>

interface Open {
  readonly tag: string
  readonly scope: Scope
  readonly element: XmlElement & { readonly children: Array<XmlElement | string> }
}

/**
 * Reads one document. Nothing outside of it is ever fetched: a document type is refused, and the only entities are the five
 * of XML and numbers.
 * @throws AppError PARAMETER_INVALID
 */
export function parseXml(text: string): XmlElement {
  if (!text.isWellFormed()) throw malformed('not Unicode')
  const reader = new Reader()
  const parser = new Parser()
  const refuse = (reason: string) => (): void => reader.fail(reason)
  parser.on('openTag', (tag, attributesOf) => reader.open(tag, attributesOf()))
  parser.on('closeTag', () => reader.close())
  parser.on('text', (raw) => reader.text(raw))
  parser.on('cdata', (raw) => reader.literal(raw))
  parser.on('attention', refuse('a document type is not read'))
  parser.on('warn', refuse('not well-formed'))
  parser.on('error', refuse('not well-formed'))
  parser.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  return reader.document()
}

function malformed(rule: string): AppError {
  return new AppError('PARAMETER_INVALID', { field: 'body', rule })
}

/** Faults are kept until the end: the parser's own callbacks may not throw. */
class Reader {
  readonly #open: Open[] = []
  #root: XmlElement | undefined
  #fault: string | undefined

  fail(reason: string): void {
    this.#fault ??= reason
  }

  open(tag: string, given: unknown): void {
    if (this.#fault !== undefined) return
    if (this.#open.length >= DEPTH_MAX) return this.fail('nested too deeply')
    if (this.#open.length === 0 && this.#root !== undefined) return this.fail('more than one root')
    try {
      this.#enter(tag, Object.entries((given ?? {}) as Record<string, string>))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      this.fail(String(thrown.details?.['rule']))
    }
  }

  close(): void {
    if (this.#fault !== undefined) return
    const done = this.#open.pop()
    if (done === undefined) return this.fail('not well-formed')
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = done.element
    else parent.element.children.push(done.element)
  }

  text(raw: string): void {
    const value = decodeEntities(raw)
    if (value === undefined) this.fail('an unknown entity')
    else this.literal(value)
  }

  literal(value: string): void {
    this.#open.at(-1)?.element.children.push(value)
  }

  /** @throws AppError PARAMETER_INVALID */
  document(): XmlElement {
    if (this.#fault !== undefined) throw malformed(this.#fault)
    if (this.#root === undefined) throw malformed('not well-formed')
    return this.#root
  }

  #enter(tag: string, raw: ReadonlyArray<readonly [string, string]>): void {
    const given = raw.map(([name, value]) => [name, requireText(value)] as const)
    const around = this.#open.at(-1)
    const scope = scopeWith(around?.scope ?? {}, given)
    const attributes = given
      .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
      // An attribute without a prefix is in no namespace.
      .map(([name, value]) => [name.includes(':') ? resolve(name, scope) : name, value] as const)
    const language = attributes.find(([name]) => name === `{${XML_NAMESPACE}}lang`)?.[1] ?? around?.element.language
    this.#open.push({ tag, scope, element: { name: resolve(tag, scope), attributes, children: [], language } })
  }
}

function requireText(raw: string): string {
  const value = decodeEntities(raw)
  if (value === undefined) throw malformed('an unknown entity')
  return value
}

function scopeWith(around: Scope, attributes: ReadonlyArray<readonly [string, string]>): Scope {
  const own: Record<string, string> = {}
  for (const [name, value] of attributes) {
    if (name === 'xmlns') own[''] = value
    if (!name.startsWith('xmlns:')) continue
    if (value === '') throw malformed('a prefix without a namespace')
    own[name.slice('xmlns:'.length)] = value
  }
  return Object.keys(own).length === 0 ? around : Object.assign(Object.create(null) as object, around, own)
}

/** Names are written again as they are. */
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}._\u00B7-]{0,255}$/u

function resolve(name: string, scope: Scope): string {
  const cut = name.indexOf(':')
  const prefix = cut < 0 ? '' : name.slice(0, cut)
  const local = name.slice(cut + 1)
  if (!NAME.test(local)) throw malformed('a name that is none')
  const namespace = prefix === 'xml' ? XML_NAMESPACE : Object.hasOwn(scope, prefix) ? scope[prefix] : undefined
  if (namespace === undefined && prefix !== '') throw malformed('a prefix that was not declared')
  return namespace === undefined || namespace === '' ? local : `{${namespace}}${local}`
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** @returns undefined for an entity that XML does not have by itself, and for a number that is no character */
function decodeEntities(raw: string): string | undefined {
  let isKnown = true
  const text = raw.replaceAll(/&([^;&]{0,16};?)/g, (_whole, body: string) => {
    const known = body.endsWith(';') ? entity(body.slice(0, -1)) : undefined
    isKnown &&= known !== undefined
    return known ?? ''
  })
  return isKnown ? text : undefined
}

function entity(name: string): string | undefined {
  const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
  if (number === null) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const text = String.fromCodePoint(code)
  return UNWRITABLE.test(text) ? undefined : text
}

/** Characters that XML 1.0 cannot hold in any spelling. */
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/
const UNWRITABLE_ALL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
const SPECIAL = /[&<>"\r]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Text for content and attributes. What XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  const clean = text.isWellFormed() ? text : text.toWellFormed()
  return clean.replaceAll(UNWRITABLE_ALL, '\uFFFD').replaceAll(SPECIAL, (found) => ESCAPES[found] ?? found)
}

/** Namespace and local part of `{namespace}name`. */
export function splitName(name: string): readonly [namespace: string, local: string] {
  const end = name.startsWith('{') ? name.indexOf('}') : -1
  return end < 0 ? ['', name] : [name.slice(1, end), name.slice(end + 1)]
}

/** An element that carries its own declarations, so that it stands anywhere. */
export function writeXml({ name, attributes, children }: XmlElement): string {
  const [namespace, local] = splitName(name)
  const written = attributes.map(([attribute, value], at) => {
    const [owner, own] = splitName(attribute)
    if (owner === '') return ` ${own}="${escapeXml(value)}"`
    if (owner === XML_NAMESPACE) return ` xml:${own}="${escapeXml(value)}"`
    return ` xmlns:a${at}="${escapeXml(owner)}" a${at}:${own}="${escapeXml(value)}"`
  })
  const content = children.map((child) => (typeof child === 'string' ? escapeXml(child) : writeXml(child))).join('')
  return `<${local} xmlns="${escapeXml(namespace)}"${written.join('')}>${content}</${local}>`
}

/** The children of an element that are elements. */
export function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}
