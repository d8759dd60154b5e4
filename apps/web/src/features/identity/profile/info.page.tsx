import { routes } from '@godwit/contract/table'
import { isEmail } from '@godwit/contract/field-rules'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAccount, useAccountRefresh } from '../auth/index.ts'
import styles from './form-narrow.module.css'

/** The account, which stays, and its e-mail address, which may change. */
export function InfoPage() {
  const texts = useTexts()
  const { user } = useAccount()
  const { api, messages } = useServices()
  const refresh = useAccountRefresh()
  const form = useForm({
    initial: { email: user.email },
    faultsOf: ({ email }) => ({
      email: email.trim() === '' ? texts('email.required') : isEmail(email.trim()) ? undefined : texts('email.invalid'),
    }),
    async send({ email }) {
      await api.call(routes.auth.updateInfo, { body: { email: email.trim() } })
      await refresh()
      messages.tell('success', texts('profile.info.saved'))
    },
  })
  return (
    <SectionCard title={texts('profile.info')} lead={texts('profile.info.lead')}>
      <div className={styles['narrow']}>
        <Form onSubmit={form.submit}>
          <FailureNotice failure={form.failure} />
          <TextField
            label={texts('profile.info.account')}
            hint={texts('profile.info.account-hint')}
            value={user.account}
            readOnly
            translate="no"
            autoComplete="username"
          />
          <TextField
            {...form.field('email')}
            label={texts('email.label')}
            hint={texts('profile.info.email-hint')}
            type="email"
            autoComplete="email"
            required
          />
          <div className={styles['buttons']}>
            <Button kind="solid" type="submit" disabled={form.isBusy}>
              {texts(form.isBusy ? 'common.saving' : 'common.save')}
            </Button>
          </div>
        </Form>
      </div>
    </SectionCard>
  )
}
