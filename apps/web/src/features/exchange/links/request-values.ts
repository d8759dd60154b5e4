import type { LinkRequest, RequestItem } from '@godwit/contract'
import { randomLetters } from '../../../lib/random-letters.ts'

/** The checklist of an invite link, as the fields of the dialog hold it. */

export type RequestName = 'request' | 'requestOthers' | 'requestInsist'
export type RequestValues = Readonly<Record<RequestName, string>>

export const REQUEST_ITEMS_MAX = 50
const MB = 1024 * 1024
const ID_LENGTH = 8

/** One line of the list as it is typed; types are separated by spaces, commas or semicolons, sizes are in MB. */
export interface ItemDraft extends Readonly<
  Record<'id' | 'name' | 'pattern' | 'types' | 'min' | 'max' | 'sha256' | 'count', string>
> {
  readonly required: boolean
}

export function newItem(): ItemDraft {
  const empty = { name: '', pattern: '', types: '', min: '', max: '', sha256: '', count: '1' }
  return { id: randomLetters(ID_LENGTH), ...empty, required: true }
}

export function itemsIn(text: string): readonly ItemDraft[] {
  return text === '' ? [] : (JSON.parse(text) as readonly ItemDraft[])
}

export function itemsText(items: readonly ItemDraft[]): string {
  return items.length === 0 ? '' : JSON.stringify(items)
}

export function requestValues(request: LinkRequest | null): RequestValues {
  return {
    request: itemsText((request?.items ?? []).map(draftOf)),
    requestOthers: request?.others === true ? 'on' : '',
    requestInsist: request?.insist === true ? 'on' : '',
  }
}

function draftOf({ id, name, pattern, types, minBytes, maxBytes, sha256, count, required }: RequestItem): ItemDraft {
  const sizes = { min: minBytes === 0 ? '' : String(minBytes / MB), max: maxBytes === 0 ? '' : String(maxBytes / MB) }
  return { id, name, pattern, types: types.join(', '), ...sizes, sha256, count: String(count), required }
}

/** Null asks for nothing. */
export function requestOf(values: RequestValues): LinkRequest | null {
  const items = itemsIn(values.request).map(itemOf)
  if (items.length === 0) return null
  return { items, others: values.requestOthers === 'on', insist: values.requestInsist === 'on' }
}

function itemOf({ id, name, pattern, types, min, max, sha256, count, required }: ItemDraft): RequestItem {
  return {
    ...{ id, required, name: name.trim(), pattern: pattern.trim(), types: typesIn(types) },
    minBytes: bytesIn(min) ?? 0,
    maxBytes: bytesIn(max) ?? 0,
    sha256: sha256.trim().toLowerCase(),
    count: Number(count),
  }
}

function typesIn(text: string): string[] {
  const types = text.split(/[\s,;，；、]+/).map((type) => type.replace(/^\*?\./, ''))
  return [...new Set(types.filter((type) => type !== ''))]
}

/** Undefined for what is no size. */
function bytesIn(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return 0
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(trimmed) ? Math.round(Number(trimmed) * MB) : undefined
}

export type ItemFault = 'name' | 'count' | 'size' | 'checksum' | 'types'

/** What is wrong with a line, the first of it; undefined when nothing is. */
export function itemFault(draft: ItemDraft): ItemFault | undefined {
  const [min, max] = [bytesIn(draft.min), bytesIn(draft.max)]
  const sha256 = draft.sha256.trim()
  if (draft.name.trim() === '') return 'name'
  if (!/^[1-9]\d{0,2}$|^1000$/.test(draft.count)) return 'count'
  if (min === undefined || max === undefined || (max > 0 && min > max)) return 'size'
  if (typesIn(draft.types).some((type) => !/^[^./\\*?\s]{1,16}$/u.test(type))) return 'types'
  if (sha256 === '') return undefined
  const isOneFile = /^[^*?]+$/.test(draft.pattern.trim()) && draft.count === '1'
  return /^[0-9a-f]{64}$/i.test(sha256) && isOneFile ? undefined : 'checksum'
}

export function requestFault(text: string): boolean {
  return itemsIn(text).some((item) => itemFault(item) !== undefined)
}
