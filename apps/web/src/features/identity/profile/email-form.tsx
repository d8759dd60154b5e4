import { routes } from '@godwit/contract/table'
import type { MailSenderInfo } from '@godwit/contract'
import { MAIL_ENCRYPTION, MAIL_PROVIDERS } from '@godwit/contract/foundation/mail-providers'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormState, useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './form-narrow.module.css'
import {
  keepsPassword,
  presetOf,
  providerOf,
  type SenderFields,
  senderFaults,
  senderFields,
  senderInput,
  withEncryption,
} from './mail-sender.ts'
import { type MailTest, TestOutcome } from './test-outcome.tsx'

export interface EmailFormProps {
  readonly sender: MailSenderInfo
  readonly onSaved: () => Promise<void>
}

export function EmailForm({ sender, onSaved }: EmailFormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [outcome, setOutcome] = useState<MailTest>()
  const [isTesting, setTesting] = useState(false)
  const form = useForm<keyof SenderFields>({
    initial: senderFields(sender),
    faultsOf: (fields) => senderFaults(fields, sender, texts),
    async send(fields) {
      await api.call(routes.mail.ownUpdate, { body: senderInput(fields) })
      form.set({ password: '' })
      await onSaved()
      messages.tell('success', texts('profile.email.saved'))
    },
  })
  const test = async (fields: SenderFields): Promise<void> => {
    setOutcome(undefined)
    setTesting(true)
    try {
      setOutcome({ tested: await api.call(routes.mail.ownTest, { body: senderInput(fields) }) })
    } catch (failure) {
      setOutcome({ failure })
    } finally {
      setTesting(false)
    }
  }
  return (
    <div className={styles['narrow']}>
      <Form onSubmit={form.submit}>
        <FailureNotice failure={form.failure} />
        <SenderInputs form={form} sender={sender} />
        {outcome !== undefined && <TestOutcome outcome={outcome} />}
        <div className={styles['buttons']}>
          <Button kind="solid" type="submit" disabled={form.isBusy}>
            {texts(form.isBusy && !isTesting ? 'common.saving' : 'common.save')}
          </Button>
          <Button
            disabled={form.isBusy}
            onClick={({ currentTarget }) => currentTarget.form !== null && form.submit(currentTarget.form, test)}
          >
            {texts(isTesting ? 'profile.email.testing' : 'profile.email.test')}
          </Button>
        </div>
      </Form>
    </div>
  )
}

interface SenderInputsProps {
  readonly form: FormState<keyof SenderFields>
  readonly sender: MailSenderInfo
}

function SenderInputs({ form, sender }: SenderInputsProps) {
  const texts = useTexts()
  const { values } = form
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, required: true } as const
  return (
    <>
      <TextField {...form.field('from')} label={texts('profile.email.from')} required autoComplete="name" />
      <SelectField
        name="provider"
        label={texts('profile.email.provider')}
        required
        value={values.provider}
        translate="no"
        choices={Object.values(MAIL_PROVIDERS).map(({ wire, label }) => ({
          value: String(wire),
          label: label === 'Other' ? texts('profile.email.provider.other') : label,
        }))}
        onChange={({ target }) => form.set(presetOf(target.value))}
      />
      <TextField {...form.field('account')} {...plain} label={texts('profile.email.account')} type="email" />
      <PasswordField
        {...form.field('password')}
        label={texts('profile.email.password')}
        hint={texts(keepsPassword(values, sender) ? 'profile.email.password-kept' : 'profile.email.password-hint')}
        required
        autoComplete="off"
      />
      <div className={styles['row']}>
        <TextField {...form.field('host')} {...plain} label={texts('profile.email.host')} />
        <TextField {...form.field('port')} {...plain} label={texts('profile.email.port')} inputMode="numeric" />
      </div>
      <SelectField
        name="encryption"
        label={texts('profile.email.encryption')}
        required
        value={values.encryption}
        choices={encryptionChoices(values.provider, texts)}
        onChange={({ target }) => form.set(withEncryption(values, target.value))}
      />
      {Number(values.encryption) === MAIL_ENCRYPTION.none && (
        <Notice kind="warning">{texts('profile.email.unencrypted')}</Notice>
      )}
    </>
  )
}

function encryptionChoices(provider: string, texts: Texts) {
  return providerOf(provider).encryptions.map((wire) => ({
    value: String(wire),
    label: texts(`profile.email.encryption.${wire}`),
  }))
}
