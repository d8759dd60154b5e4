import type { AccountTransfer } from '@godwit/contract'
import { ON } from '../../../ui/form/index.ts'

export const MAIL_SENDERS = ['own', 'system'] as const
export const LINK_MAILS = ['server', 'program'] as const
export const WAYS = ['both', 'client', 'web'] as const
/** Whose filters hold: those of the space or the site, or some of the account's own. */
export const FILTER_KINDS = ['site', 'own'] as const

export type TransferField =
  | 'mailSender'
  | 'linkMail'
  | 'ways'
  | 'filterKind'
  | 'ignorePatterns'
  | 'ignoreAboveMb'
  | 'skipSameName'
  | 'lockFilters'
export const TRANSFER_FIELDS = [
  'mailSender',
  'linkMail',
  'ways',
  'filterKind',
  'ignorePatterns',
  'ignoreAboveMb',
  'skipSameName',
  'lockFilters',
] as const

export type TransferValues = Readonly<Record<TransferField, string>>

export const NO_TRANSFER: TransferValues = {
  mailSender: 'own',
  linkMail: '',
  ways: '',
  filterKind: 'site',
  ignorePatterns: '',
  ignoreAboveMb: '',
  skipSameName: '',
  lockFilters: '',
}

export function transferValuesOf(transfer: AccountTransfer): TransferValues {
  const { mailSender, linkMail, ways, ignorePatterns, ignoreAboveMb, skipSameName, lockFilters } = transfer
  const isOwn = [ignorePatterns, ignoreAboveMb, skipSameName, lockFilters].some((value) => value !== null)
  return {
    mailSender,
    linkMail: linkMail ?? '',
    ways: ways ?? '',
    filterKind: isOwn ? 'own' : 'site',
    ignorePatterns: ignorePatterns ?? '',
    ignoreAboveMb: ignoreAboveMb === null || ignoreAboveMb === 0 ? '' : String(ignoreAboveMb),
    skipSameName: skipSameName === true ? ON : '',
    lockFilters: lockFilters === true ? ON : '',
  }
}

export function transferFrom(values: TransferValues): AccountTransfer {
  const isOwn = values.filterKind === 'own'
  return {
    mailSender: values.mailSender === 'system' ? 'system' : 'own',
    linkMail: LINK_MAILS.find((each) => each === values.linkMail) ?? null,
    ways: WAYS.find((each) => each === values.ways) ?? null,
    ignorePatterns: isOwn ? values.ignorePatterns.trim() : null,
    ignoreAboveMb: isOwn ? Number(values.ignoreAboveMb.trim()) : null,
    skipSameName: isOwn ? values.skipSameName === ON : null,
    lockFilters: isOwn ? values.lockFilters === ON : null,
  }
}

const MB_MAX = 2 ** 31 - 1

/** Whole megabytes; an empty field is no limit. */
export function isMegabytes(text: string): boolean {
  return text === '' || (/^\d{1,10}$/.test(text) && Number(text) <= MB_MAX)
}
