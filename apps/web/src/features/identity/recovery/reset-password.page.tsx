import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { type EntryPageProps, type Handover, handover } from '../auth/index.ts'
import { PasswordChangeFields, passwordChangeFaults } from '../passwords/index.ts'
import { EntryCard } from '../entry-card/index.ts'

/** The forced password change before the first sign-in; shown only right after the old password was entered. */
export function ResetPasswordPage({ onGo }: EntryPageProps) {
  const texts = useTexts()
  const given = useStore(handover)
  if (given === undefined) return null
  return (
    <EntryCard title={texts('reset.title')} lead={texts('reset.lead')} onGo={onGo}>
      <ResetForm given={given} />
    </EntryCard>
  )
}

function ResetForm({ given: { account, oldPassword } }: { readonly given: Handover }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const rule = { account, preset: useSite().passwordPreset }
  const form = useForm({
    initial: { old: oldPassword, password: '', repeat: '' },
    faultsOf: (values) => passwordChangeFaults(values, rule, texts),
    async send({ old, password }) {
      const body = { account, oldPassword: encodePassword(old), newPassword: encodePassword(password) }
      await api.call(routes.auth.firstLogin, { body }, { token: null })
      messages.notify('success', texts('reset.done'))
      handover.set(undefined)
    },
  })
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <PasswordChangeFields form={form} rule={rule} autoFocus />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'common.saving' : 'reset.submit')}
      </Button>
    </Form>
  )
}
