import { LIMITS } from './limits.ts'

/** Rules for single form fields, shared by page and server. */

const ACCOUNT = /^[A-Za-z0-9_]+$/
// Local part of letters, digits, underscore, dot, hyphen or plus, then @ and a dotted domain.
const EMAIL = /^[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/
const PHONE = /^1[3-9][0-9]{9}$/
const LICENCE_CODE = /^(?:[A-Za-z0-9]{13}|[A-Za-z0-9]{16}|[A-Za-z0-9]{20})$/
const STORAGE_ALIAS_FORBIDDEN = /[:*<>|"\\?]|\/\/|\/$/
const FILE_ALIAS_FORBIDDEN = /[\\/:*<>|"?\r\n]/

/** 3-30 letters, digits and underscores. */
export function isAccount(text: string): boolean {
  return text.length >= LIMITS.accountMin && text.length <= LIMITS.accountMax && ACCOUNT.test(text)
}

export function isEmail(text: string): boolean {
  return text.length <= LIMITS.textInputMax && EMAIL.test(text)
}

/** 11 digits that start with 1 and then 3-9. */
export function isPhone(text: string): boolean {
  return PHONE.test(text)
}

/** An activation code: 13, 16 or 20 letters or digits. */
export function isLicenceCode(text: string): boolean {
  return LICENCE_CODE.test(text)
}

/** Alias of a virtual directory: no double slash, no slash at the end, none of `: * < > | " \ ?`. Uniqueness is the caller's. */
export function isStorageAlias(text: string): boolean {
  return text.trim() !== '' && !STORAGE_ALIAS_FORBIDDEN.test(text)
}

/** Name under which a share link shows a file: at most 255 characters, no separators, no line breaks. */
export function isFileAlias(text: string): boolean {
  return text.trim() !== '' && [...text].length <= LIMITS.aliasMax && !FILE_ALIAS_FORBIDDEN.test(text)
}

/** Share password: 1-6 characters unless the site allows more, no white space. */
export function isSharePassword(text: string, max: number = LIMITS.sharePasswordMax): boolean {
  return text !== '' && [...text].length <= max && !/\s/u.test(text)
}

/** Entries of a list that people write with semicolons, such as ignore patterns, weak passwords and addresses. */
export function semicolonList(text: string): readonly string[] {
  return text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** @returns the first entry of an IP list that is no IPv4 address or range like `10.80.90.[1-100]`; undefined when all are */
export function addressListFault(text: string): string | undefined {
  return semicolonList(text).find((entry) => !isAddressPattern(entry))
}

function isAddressPattern(entry: string): boolean {
  const parts = entry.split('.')
  return parts.length === 4 && parts.every((part) => isOctet(part) || isOctetRange(part))
}

function isOctet(text: string): boolean {
  return /^[0-9]{1,3}$/.test(text) && Number(text) <= 255
}

function isOctetRange(text: string): boolean {
  const [, from = '', to = ''] = /^\[([0-9]{1,3})-([0-9]{1,3})\]$/.exec(text) ?? []
  return isOctet(from) && isOctet(to) && Number(from) <= Number(to)
}
