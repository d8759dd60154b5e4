import { routes } from '@godwit/contract/table'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { emailRule, SchemaForm } from '../../../ui/form/index.ts'
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
  return (
    <SectionCard title={texts('profile.info')} lead={texts('profile.info.lead')}>
      <div className={styles['narrow']}>
        <SchemaForm
          schema={{
            email: {
              kind: 'text',
              type: 'email',
              label: texts('email.label'),
              hint: texts('profile.info.email-hint'),
              isRequired: true,
              missing: texts('email.required'),
              rule: emailRule(texts),
              errors: ['EMAIL_EXISTS', 'EMAIL_INVALID'],
              wire: 'email',
              autoComplete: 'email',
            },
          }}
          initial={{ email: user.email }}
          submitLabel={texts('common.save')}
          busyLabel={texts('common.saving')}
          isGuarded
          lead={
            <TextField
              label={texts('profile.info.account')}
              hint={texts('profile.info.account-hint')}
              value={user.account}
              readOnly
              translate="no"
              autoComplete="username"
            />
          }
          onSend={async ({ email }) => {
            await api.call(routes.auth.updateInfo, { body: { email: email.trim() } })
            await refresh()
            messages.notify('success', texts('profile.info.saved'))
          }}
        />
      </div>
    </SectionCard>
  )
}
