import type { MailSenderInfo } from '@godwit/contract'
import type { routes } from '@godwit/contract/table'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { SchemaForm } from '../../../ui/form/index.ts'
import { senderSchema } from './email-schema.tsx'
import styles from './email-form.module.css'
import { type SenderFields, senderFields, senderInput } from './mail-sender.ts'
import { type MailTest, TestOutcome } from './test-outcome.tsx'

export interface EmailFormProps {
  readonly sender: MailSenderInfo
  /** Where it is saved and tried. */
  readonly update: typeof routes.mail.ownUpdate | typeof routes.adminMail.update
  readonly test: typeof routes.mail.ownTest | typeof routes.adminMail.test
  readonly onSaved: () => Promise<void>
}

export function EmailForm({ sender, update, test: testRoute, onSaved }: EmailFormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [outcome, setOutcome] = useState<MailTest>()
  const test = async (fields: SenderFields): Promise<void> => {
    setOutcome(undefined)
    try {
      setOutcome({ tested: await api.call(testRoute as typeof routes.mail.ownTest, { body: senderInput(fields) }) })
    } catch (failure) {
      setOutcome({ failure })
    }
  }
  return (
    <div className={styles['narrow']}>
      <SchemaForm<keyof SenderFields>
        schema={senderSchema(sender, texts)}
        initial={senderFields(sender)}
        submitLabel={texts('common.save')}
        busyLabel={texts('common.saving')}
        other={{ label: texts('profile.email.test'), busyLabel: texts('profile.email.testing'), run: test }}
        isGuarded
        onSend={async (fields, form) => {
          await api.call(update as typeof routes.mail.ownUpdate, { body: senderInput(fields) })
          form.set({ password: '' })
          await onSaved()
          messages.notify('success', texts('profile.email.saved'))
        }}
      >
        {outcome !== undefined && <TestOutcome outcome={outcome} />}
      </SchemaForm>
    </div>
  )
}
