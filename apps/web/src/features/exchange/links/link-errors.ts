import type { ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { LinkField } from './link-form.ts'

const FIELDS: Partial<Record<ErrorName, LinkField>> = {
  LINK_PASSWORD_INVALID: 'password',
  LINK_EXPIRY_PAST: 'date',
  SHARE_MAIL_SENDER_MISSING: 'emails',
  SHARE_MAIL_BY_PERSON: 'emails',
  EMAIL_INVALID: 'emails',
  LINK_RECIPIENT_REQUIRED: 'emails',
}

/** The field that an answer of the server is about; undefined is about all of it. */
export function fieldOfLinkError(error: unknown): LinkField | undefined {
  if (!(error instanceof ApiError)) return undefined
  return Object.entries(FIELDS).find(([name]) => name === error.name)?.[1]
}
