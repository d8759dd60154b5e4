import type { AccountTransfer } from '@godwit/contract'
import { FILTER_FIELDS, type FilterField, filtersFrom, filterValuesOf, NO_FILTERS } from '../transfer-limits/index.ts'

export const MAIL_SENDERS = ['own', 'system'] as const
export const LINK_MAILS = ['server', 'program'] as const

export type TransferField = 'mailSender' | 'linkMail' | FilterField
export const TRANSFER_FIELDS = ['mailSender', 'linkMail', ...FILTER_FIELDS] as const

export type TransferValues = Readonly<Record<TransferField, string>>

export const NO_TRANSFER: TransferValues = { mailSender: 'own', linkMail: '', ...NO_FILTERS }

export function transferValuesOf({ mailSender, linkMail, ...filters }: AccountTransfer): TransferValues {
  return { mailSender, linkMail: linkMail ?? '', ...filterValuesOf(filters) }
}

export function transferFrom(values: TransferValues): AccountTransfer {
  return {
    mailSender: values.mailSender === 'system' ? 'system' : 'own',
    linkMail: LINK_MAILS.find((each) => each === values.linkMail) ?? null,
    ...filtersFrom(values),
  }
}
