import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import type { DeviceLoginRequest } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '../../../../lib/formats.ts'
import { useServices } from '../../../../lib/services.tsx'
import { useTexts } from '../../../../lib/texts.tsx'
import { useCloseIfShown } from '../../../../lib/use-is-shown.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { FailureNotice } from '../../../../ui/failure-notice.tsx'
import { SchemaForm } from '../../../../ui/form/index.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { passwordProof, UsernameHint } from '../proof-fields.tsx'
import { useApiTokensRefresh } from './tokens-query.ts'
import styles from './tokens.module.css'

export interface DeviceDialogProps {
  readonly userCode: string
  readonly onClose: () => void
}

/** A program asks to work with the files of the account: which one, from where, and the password before it may. */
export function DeviceDialog({ userCode, onClose }: DeviceDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  const { data, error } = useQuery({
    queryKey: ['device-login', userCode],
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) =>
      (await api.call(routes.deviceLogins.look, { body: { userCode } }, { signal })).request,
  })
  return (
    <Dialog title={texts('devices.title')} closeLabel={texts('common.close')} onClose={onClose}>
      {data !== undefined && <Question request={data} userCode={userCode} onClose={onClose} />}
      {error !== null && (
        <div className={styles['device']}>
          <FailureNotice failure={error} />
          <Button onClick={onClose}>{texts('common.close')}</Button>
        </div>
      )}
    </Dialog>
  )
}

interface QuestionProps extends DeviceDialogProps {
  readonly request: DeviceLoginRequest
}

function Question({ request: { name, platform, version, address, createdAt }, userCode, onClose }: QuestionProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useApiTokensRefresh()
  const close = useCloseIfShown(onClose)
  const decide = async (isAllowed: boolean, password: string): Promise<void> => {
    await api.call(routes.deviceLogins.decide, { body: { userCode, isAllowed, password } })
    void refresh()
    messages.notify('success', texts(isAllowed ? 'devices.allowed' : 'devices.refused', { name }))
    close()
  }
  const refuse = async (): Promise<void> => {
    try {
      await decide(false, '')
    } catch (thrown) {
      messages.fail(thrown, texts)
    }
  }
  const facts = [
    [texts('devices.name'), name],
    [texts('devices.system'), [platform, version].filter((each) => each !== '').join(' · ') || '-'],
    [texts('devices.address'), address],
    [texts('devices.asked'), formatTime(createdAt / 1000)],
    [texts('devices.code'), userCode],
  ] as const
  return (
    <div className={styles['device']}>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd translate="no">{value}</dd>
          </div>
        ))}
      </dl>
      <Notice kind="warning">{texts('devices.warning')}</Notice>
      <SchemaForm<'password'>
        schema={{ password: passwordProof(texts) }}
        initial={{ password: '' }}
        lead={<UsernameHint />}
        submitLabel={texts('devices.allow')}
        onSend={({ password }) => decide(true, encodePassword(password))}
      />
      <Button onClick={() => void refuse()}>{texts('devices.refuse')}</Button>
    </div>
  )
}
