import type { LinkRequest, RequestItem, RequestState } from '@godwit/contract'
import { foldName, type GuestFile } from '../../content/access/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LinkRow } from './links.schema.ts'

/** What an invite link asks for, and which file is for which item. All is pure. */

export type WantedFile = GuestFile

/** What an invite link asks for; null: anything. */
export function requestOf({ request }: Pick<LinkRow, 'request'>): LinkRequest | null {
  return request === null ? null : (JSON.parse(request) as LinkRequest)
}

type Misfit = 'name' | 'type' | 'too-small' | 'too-large'

/**
 * Whether a name is like a pattern: `*` stands for any characters, `?` for one; letter case makes no difference.
 * It takes time as the product of both lengths at most, whatever a stranger writes into either.
 */
export function nameMatches(pattern: string, name: string): boolean {
  const wanted = [...foldName(pattern)]
  const given = [...foldName(name)]
  let at = 0
  let star = -1
  let resume = 0
  for (let next = 0; next < given.length;) {
    if (at < wanted.length && wanted[at] === '*') {
      star = at
      resume = next
      at++
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[next])) {
      at++
      next++
    } else if (star >= 0) {
      at = star + 1
      resume++
      next = resume
    } else return false
  }
  return wanted.slice(at).every((each) => each === '*')
}

/** The name that a file was sent with, where a taken one got a number: `plan (2).pdf` was `plan.pdf`. */
export function unnumbered(name: string): string {
  return name.replace(/ \(\d{1,6}\)(?=(?:\.[^.]*)?$)/u, '')
}

function typeOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : foldName(name.slice(dot + 1))
}

function misfitOf(item: RequestItem, { name, size, isWhole }: WantedFile): Misfit | undefined {
  const names = [name, unnumbered(name)]
  if (item.pattern !== '' && !names.some((each) => nameMatches(item.pattern, each))) return 'name'
  if (item.types.length > 0 && !item.types.some((type) => foldName(type) === typeOf(name))) return 'type'
  if (size === null) return undefined
  if (item.maxBytes > 0 && size > item.maxBytes) return 'too-large'
  return isWhole && size < item.minBytes ? 'too-small' : undefined
}

function isOneName({ pattern }: RequestItem): boolean {
  return pattern !== '' && !/[*?]/.test(pattern)
}

/** Items that a file may be for: those that name it before those that are like it. */
function itemsFor({ items }: LinkRequest, file: WantedFile): RequestItem[] {
  const fitting = items.filter((item) => misfitOf(item, file) === undefined)
  return [...fitting.filter(isOneName), ...fitting.filter((item) => !isOneName(item))]
}

/**
 * The item that a file counts for: the first that still lacks one, else the first.
 * @param arrived files so far, by item
 * @returns undefined when it is for none
 */
export function itemOf(
  request: LinkRequest,
  file: WantedFile,
  arrived: ReadonlyMap<string, number>,
): RequestItem | undefined {
  const fitting = itemsFor(request, file)
  return fitting.find(({ id, count }) => (arrived.get(id) ?? 0) < count) ?? fitting[0]
}

const REFUSALS = {
  type: 'LINK_FILE_TYPE_UNEXPECTED',
  'too-small': 'LINK_FILE_TOO_SMALL',
  'too-large': 'LINK_FILE_TOO_LARGE',
} as const

/** What is nearest to being right is said first. */
const NEAREST = ['too-large', 'too-small', 'type'] as const

/**
 * @returns the checksum that the file must have; '' for any
 * @throws AppError LINK_FILE_UNEXPECTED, LINK_FILE_TYPE_UNEXPECTED, LINK_FILE_TOO_SMALL, LINK_FILE_TOO_LARGE
 */
export function requireExpected(request: LinkRequest, file: WantedFile): string {
  const [first] = itemsFor(request, file)
  if (first !== undefined) return first.sha256
  const { name } = file
  const isMeant = ({ pattern }: RequestItem): boolean => pattern !== '' || !request.others
  for (const misfit of NEAREST) {
    const item = request.items.find((each) => isMeant(each) && misfitOf(each, file) === misfit)
    if (item === undefined) continue
    const { minBytes, maxBytes, types } = item
    throw new AppError(REFUSALS[misfit], { name, item: item.name, minBytes, maxBytes, types })
  }
  if (!request.others) throw new AppError('LINK_FILE_UNEXPECTED', { name })
  return ''
}

/** Names of what is required and not there yet. */
export function missingItems({ items }: LinkRequest, arrived: ReadonlyMap<string, number>): string[] {
  return items.filter(({ id, required, count }) => required && (arrived.get(id) ?? 0) < count).map(({ name }) => name)
}

export function stateOf(request: LinkRequest, arrived: ReadonlyMap<string, number>): RequestState {
  const { items, others, insist } = request
  return {
    items: items.map((item) => ({ ...item, arrived: arrived.get(item.id) ?? 0 })),
    others,
    insist,
    isComplete: missingItems(request, arrived).length === 0,
  }
}
