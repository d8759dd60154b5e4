import { routes } from '@godwit/contract/table'
import type { MailSenderInfo } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { EmailForm } from '../../foundation/mail-sender/index.ts'
import { Loaded } from './loaded.tsx'

const SENDER_KEY = ['mail-sender']

/** The mail server that sends for this person; shown to who has a sender of their own. */
export function EmailPage() {
  const texts = useTexts()
  const client = useQueryClient()
  const { api } = useServices()
  const query = useQuery({
    queryKey: SENDER_KEY,
    queryFn: async ({ signal }): Promise<MailSenderInfo> => {
      return api.call(routes.mail.ownInfo, {}, { signal })
    },
  })
  return (
    <SectionCard title={texts('profile.email')} lead={texts('profile.email.lead')}>
      <Loaded query={query}>
        {(sender) => (
          <EmailForm
            sender={sender}
            update={routes.mail.ownUpdate}
            test={routes.mail.ownTest}
            onSaved={() => client.invalidateQueries({ queryKey: SENDER_KEY })}
          />
        )}
      </Loaded>
    </SectionCard>
  )
}
