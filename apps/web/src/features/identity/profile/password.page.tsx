import { routes } from '@godwit/contract/table'
import { LIMITS } from '@godwit/contract/limits'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { SchemaForm } from '../../../ui/form/index.ts'
import { SectionCard } from '../../../ui/section-card.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../auth/index.ts'
import type { PasswordChange } from '../passwords/index.ts'
import { passwordChangeSchema } from './password-schema.tsx'
import { UsernameHint } from './proof-fields.tsx'
import styles from './form-narrow.module.css'

/** Change of the own password; afterwards everything that knew the old one has ended, this page too. */
export function PasswordPage() {
  const texts = useTexts()
  const { account } = useAccount().user
  const { api, session, messages } = useServices()
  const rule = { account, preset: useSite().passwordPreset }
  const [isDone, setDone] = useState(false)
  const change = async ({ old, password }: Readonly<Record<keyof PasswordChange, string>>): Promise<void> => {
    const body = { oldPassword: encodePassword(old), newPassword: encodePassword(password) }
    session.expectEnd(true)
    try {
      await api.call(routes.auth.changePassword, { body })
    } catch (error) {
      session.expectEnd(false)
      throw error
    }
    setDone(true)
    messages.notify('success', texts('profile.password.done'))
    setTimeout(() => session.end('logged-out'), LIMITS.passwordChangeRedirectMs)
  }
  return (
    <SectionCard title={texts('profile.password')} lead={texts('profile.password.lead')}>
      <div className={styles['narrow']}>
        <SchemaForm
          schema={passwordChangeSchema(rule, texts)}
          initial={{ old: '', password: '', repeat: '' }}
          submitLabel={texts('profile.password.submit')}
          busyLabel={texts('common.saving')}
          isDone={isDone}
          lead={<UsernameHint />}
          onSend={change}
        />
      </div>
    </SectionCard>
  )
}
