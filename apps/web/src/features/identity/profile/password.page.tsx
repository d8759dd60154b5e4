import { routes } from '@godwit/contract/table'
import { LIMITS } from '@godwit/contract/limits'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../auth/index.ts'
import { PasswordChangeFields, passwordChangeFaults } from '../passwords/index.ts'
import styles from './form-narrow.module.css'

/** Change of the own password; afterwards everything that knew the old one has ended, this page too. */
export function PasswordPage() {
  const texts = useTexts()
  const { account } = useAccount().user
  const { api, session, messages } = useServices()
  const rule = { account, preset: useSite().passwordPreset }
  const [isDone, setDone] = useState(false)
  const form = useForm({
    initial: { old: '', password: '', repeat: '' },
    faultsOf: (values) => passwordChangeFaults(values, rule, texts),
    async send({ old, password }) {
      const body = { oldPassword: encodePassword(old), newPassword: encodePassword(password) }
      session.expectEnd(true)
      try {
        await api.call(routes.auth.changePassword, { body })
      } catch (error) {
        session.expectEnd(false)
        throw error
      }
      setDone(true)
      messages.tell('success', texts('profile.password.done'))
      setTimeout(() => session.end('logged-out'), LIMITS.passwordChangeRedirectMs)
    },
  })
  return (
    <SectionCard title={texts('profile.password')} lead={texts('profile.password.lead')}>
      <div className={styles['narrow']}>
        <Form onSubmit={form.submit}>
          <FailureNotice failure={form.failure} />
          <PasswordChangeFields form={form} rule={rule} />
          <div className={styles['buttons']}>
            <Button kind="solid" type="submit" disabled={form.isBusy || isDone}>
              {texts(form.isBusy ? 'common.saving' : 'profile.password.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </SectionCard>
  )
}
