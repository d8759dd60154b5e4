import { routes } from '@godwit/contract/table'
import type { SystemMailSender } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { EmailForm } from '../../foundation/mail-sender/index.ts'
import styles from './settings.module.css'

const KEY = 'mail-sender'

/** The mail server that sends for the system, with a test before it is saved. */
export function MailPage() {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(KEY)
  const query = useQuery({
    queryKey: ['console', KEY],
    queryFn: ({ signal }): Promise<SystemMailSender> => api.call(routes.adminMail.info, {}, { signal }),
  })
  return (
    <LoadedPage title={texts('console-mail.title')} query={query}>
      {(sender) => (
        <PageFrame title={texts('console-mail.title')} help={texts('console-mail.help')} isNarrow>
          <div className={styles['card']}>
            {sender.isConfigured ? (
              <>
                <Notice kind="info">{texts('console-mail.configured')}</Notice>
                <Facts facts={factsOf(sender, texts)} />
              </>
            ) : (
              <EmailForm
                sender={sender}
                update={routes.adminMail.update}
                test={routes.adminMail.test}
                onSaved={refresh}
              />
            )}
          </div>
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function factsOf(sender: SystemMailSender, texts: Texts) {
  return [
    { label: texts('profile.email.from'), value: sender.emailFromName },
    { label: texts('profile.email.account'), value: sender.emailAccount },
    { label: texts('profile.email.host'), value: sender.emailSmtpHost },
    { label: texts('profile.email.port'), value: String(sender.emailSmtpPort) },
  ]
}
