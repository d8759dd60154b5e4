import { isEmail, isFileAlias, isSharePassword, LIMITS, NEVER_EXPIRES, type FileAlias } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'

const DAY_MS = 24 * 3_600_000

/** Rules for what an owner asks of a link. All are pure; times are Unix milliseconds. */

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** The password without white space. @throws AppError LINK_PASSWORD_INVALID */
export function checkedPassword(text: string, max: number): string {
  const password = text.replaceAll(/\s/gu, '')
  if (!isSharePassword(password, max)) throw new AppError('LINK_PASSWORD_INVALID', { max })
  return password
}

/** @throws AppError LINK_EXPIRY_PAST, TIME_RANGE_INVALID for a link that would end before it begins */
export function checkTimes({ now, expiresAt, notBefore }: Readonly<Record<'now' | 'expiresAt' | 'notBefore', number>>) {
  if (expiresAt === NEVER_EXPIRES) return
  if (expiresAt <= now) throw new AppError('LINK_EXPIRY_PAST')
  if (notBefore >= expiresAt) throw new AppError('TIME_RANGE_INVALID')
}

/**
 * When a link that ends at `end` is to end; undefined where that stays. Days count from its end, or from now where it is over;
 * a link that never ends is not extended.
 */
export function changedEnd(
  end: number,
  wanted: { readonly shareExpireTime?: number | undefined; readonly extendDays?: number | undefined },
  now: number,
): number | undefined {
  if (wanted.shareExpireTime !== undefined) return wanted.shareExpireTime * 1000
  if (wanted.extendDays === undefined || end === NEVER_EXPIRES) return undefined
  return Math.floor((Math.max(now, end) + wanted.extendDays * DAY_MS) / 1000) * 1000
}

/** Addresses, each once. @throws AppError EMAIL_INVALID with the first that is none */
export function checkedRecipients(addresses: readonly string[]): string[] {
  const all = addresses.map((address) => address.trim()).filter((address) => address !== '')
  const wrong = all.find((address) => !isEmail(address))
  if (wrong !== undefined) throw new AppError('EMAIL_INVALID', { address: wrong })
  return [...new Map(all.map((address) => [address.toLowerCase(), address])).values()]
}

/**
 * The aliases that change something.
 * @throws AppError FILE_ALIAS_NOT_ALLOWED with a folder or ten files and more, FILE_ALIAS_INVALID, FILE_ALIAS_TAKEN by
 * another file, FILE_ALIAS_DUPLICATE, PARAMETER_INVALID for a file that is not shared
 */
export function checkedAliases(aliases: readonly FileAlias[], entries: readonly Entry[]): FileAlias[] {
  const wanted = aliases.filter(({ file, alias }) => alias !== file)
  if (wanted.length === 0) return []
  const names = new Set(entries.map(({ name }) => name))
  if (entries.length >= LIMITS.aliasFilesLimit || entries.some(({ kind }) => kind === 'folder') || names.size === 0)
    throw new AppError('FILE_ALIAS_NOT_ALLOWED')
  const taken = new Set<string>()
  const given = new Set<string>()
  for (const { file, alias } of wanted) {
    if (!names.has(file) || given.has(file)) throw new AppError('PARAMETER_INVALID', { field: 'fileAlias' })
    given.add(file)
    // `..` and the like are no names for a file that somebody saves.
    if (!isFileAlias(alias) || !alias.isWellFormed() || /^\.+$/.test(alias.trim()) || /\p{Cc}/u.test(alias))
      throw new AppError('FILE_ALIAS_INVALID', { alias })
    if (names.has(alias)) throw new AppError('FILE_ALIAS_TAKEN', { alias })
    if (taken.has(alias)) throw new AppError('FILE_ALIAS_DUPLICATE', { alias })
    taken.add(alias)
  }
  return wanted
}
