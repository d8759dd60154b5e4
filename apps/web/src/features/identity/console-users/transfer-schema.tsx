import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { FILTER_KINDS, isMegabytes, LINK_MAILS, MAIL_SENDERS, type TransferField, WAYS } from './transfer-values.ts'
import type { UserField, UserValues } from './user-values.ts'

const PATTERNS_MAX = 4096

/** How an account transfers, what it leaves out, and who sends its mails. */
export function transferSchema(texts: Texts): Record<TransferField, Field<UserField>> {
  const inherited = { value: '', label: texts('users.as-site') }
  const isInherited = ({ filterKind }: UserValues): boolean => filterKind !== 'own'
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
    ways: {
      kind: 'select',
      label: texts('users.ways'),
      choices: [inherited, ...WAYS.map((value) => ({ value, label: texts(`users.ways.${value}`) }))],
    },
    filterKind: {
      kind: 'select',
      label: texts('users.filters'),
      hint: texts('users.filters.hint'),
      choices: FILTER_KINDS.map((value) => ({ value, label: texts(`users.filters.${value}`) })),
    },
    ignorePatterns: {
      kind: 'text',
      label: texts('users.ignorePatterns'),
      hint: texts('users.ignorePatterns.hint'),
      isHidden: isInherited,
      wire: 'transfer.ignorePatterns',
      maxLength: PATTERNS_MAX,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      translate: 'no',
    },
    ignoreAboveMb: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('users.ignoreAboveMb'),
      hint: texts('users.ignoreAboveMb.hint'),
      isHidden: isInherited,
      rule: (value) => (isMegabytes(value.trim()) ? undefined : texts('users.ignoreAboveMb.rule')),
      wire: 'transfer.ignoreAboveMb',
      autoComplete: 'off',
    },
    skipSameName: {
      kind: 'switch',
      label: texts('users.skipSameName'),
      hint: texts('users.skipSameName.hint'),
      isHidden: isInherited,
    },
    lockFilters: { kind: 'switch', label: texts('users.lockFilters'), isHidden: isInherited },
  }
}
