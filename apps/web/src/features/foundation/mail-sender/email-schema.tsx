import type { MailSenderInfo } from '@godwit/contract'
import { MAIL_ENCRYPTION, MAIL_PROVIDERS } from '@godwit/contract/foundation/mail-providers'
import type { Texts } from '../../../lib/texts.tsx'
import { emailRule, type FormSchema, portRule } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { keepsPassword, presetOf, providerOf, type SenderFields, withEncryption } from './mail-sender.ts'

type SenderSchema = FormSchema<keyof SenderFields>

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, isRequired: true } as const

/** The mail server of a person, and who sends by it. */
export function senderSchema(sender: MailSenderInfo, texts: Texts): SenderSchema {
  return { ...accountFields(sender, texts), ...serverFields(texts) }
}

function accountFields(
  sender: MailSenderInfo,
  texts: Texts,
): Pick<SenderSchema, 'from' | 'provider' | 'account' | 'password'> {
  return {
    from: {
      kind: 'text',
      label: texts('profile.email.from'),
      isRequired: true,
      missing: texts('profile.email.from-required'),
      wire: 'emailFromName',
      autoComplete: 'name',
    },
    provider: {
      kind: 'select',
      label: texts('profile.email.provider'),
      isRequired: true,
      translate: 'no',
      choices: Object.values(MAIL_PROVIDERS).map(({ wire, label }) => ({
        value: String(wire),
        label: label === 'Other' ? texts('profile.email.provider.other') : label,
      })),
      derive: presetOf,
    },
    account: {
      ...PLAIN,
      kind: 'text',
      type: 'email',
      label: texts('profile.email.account'),
      missing: texts('email.required'),
      rule: emailRule(texts),
      wire: 'emailAccount',
    },
    password: {
      kind: 'password',
      label: texts('profile.email.password'),
      hint: (values) =>
        texts(keepsPassword(values, sender) ? 'profile.email.password-kept' : 'profile.email.password-hint'),
      isRequired: (values) => !keepsPassword(values, sender),
      missing: texts('profile.email.password-required'),
      autoComplete: 'off',
    },
  }
}

function serverFields(texts: Texts): Pick<SenderSchema, 'host' | 'port' | 'encryption'> {
  return {
    host: {
      ...PLAIN,
      kind: 'text',
      label: texts('profile.email.host'),
      missing: texts('profile.email.host-required'),
      wire: 'emailSmtpHost',
    },
    port: {
      ...PLAIN,
      kind: 'text',
      label: texts('profile.email.port'),
      missing: texts('profile.email.port-invalid'),
      rule: portRule(texts),
      wire: 'emailSmtpPort',
      inputMode: 'numeric',
      isBeside: true,
    },
    encryption: {
      kind: 'select',
      label: texts('profile.email.encryption'),
      isRequired: true,
      choices: ({ provider }) =>
        providerOf(provider).encryptions.map((wire) => ({
          value: String(wire),
          label: texts(`profile.email.encryption.${wire}`),
        })),
      derive: (encryption, values) => withEncryption(values, encryption),
      note: ({ encryption }) =>
        Number(encryption) === MAIL_ENCRYPTION.none && (
          <Notice kind="warning">{texts('profile.email.unencrypted')}</Notice>
        ),
    },
  }
}
