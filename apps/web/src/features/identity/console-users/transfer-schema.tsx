import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { filterFields } from '../transfer-limits/index.ts'
import { LINK_MAILS, MAIL_SENDERS, type TransferField } from './transfer-values.ts'
import type { UserField } from './user-values.ts'

/** How an account transfers, what it leaves out, and who sends its mails. */
export function transferSchema(texts: Texts): Record<TransferField, Field<UserField>> {
  const inherited = { value: '', label: texts('users.as-site') }
  return {
    mailSender: {
      kind: 'select',
      label: texts('users.mailSender'),
      hint: texts('users.mailSender.hint'),
      choices: MAIL_SENDERS.map((value) => ({ value, label: texts(`users.mailSender.${value}`) })),
    },
    linkMail: {
      kind: 'select',
      label: texts('users.linkMail'),
      hint: texts('users.linkMail.hint'),
      choices: [inherited, ...LINK_MAILS.map((value) => ({ value, label: texts(`users.linkMail.${value}`) }))],
    },
    ...filterFields<UserField>({ texts, own: texts('users.filters.own') }),
  }
}
