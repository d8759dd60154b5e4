import type { CHECKLIST_STEPS } from '@godwit/contract/oversight/dashboard-limits'
import { routes } from '@godwit/contract/table'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { useRight } from '../../identity/administration/index.ts'
import styles from './dashboard.module.css'

const KEY = ['console', 'checklist']

/** Where each step is done; the address and the second factor are not pages of the console. */
const PLACES: Readonly<Record<(typeof CHECKLIST_STEPS)[number], { readonly to?: string; readonly href?: string }>> = {
  storage: { to: '/admin/storages' },
  mail: { to: '/admin/mail' },
  people: { to: '/admin/users' },
  address: { href: '/docs/cli' },
  backup: { to: '/admin/backups' },
  secondFactor: { href: '/profile/security' },
}

/** What a new site still needs, for whoever may see the settings. */
export function useChecklist() {
  const { api } = useServices()
  const enabled = useRight('settings.view')
  return useQuery({
    enabled,
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(routes.dashboard.checklist, {}, { signal }),
  })
}

/** Gone once all of it is done, or when its reader hides it. */
export function ChecklistCard() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const { data } = useChecklist()
  if (data === undefined || data.isDismissed || data.steps.every(({ isDone }) => isDone)) return null
  const dismiss = async (): Promise<void> => {
    try {
      client.setQueryData(KEY, await api.call(routes.dashboard.dismissChecklist, { body: { isDismissed: true } }))
    } catch (error) {
      messages.fail(error, texts)
    }
  }
  const count = data.steps.filter(({ isDone }) => isDone).length
  return (
    <SectionCard
      title={texts('checklist.title')}
      lead={texts('checklist.count', { count, total: data.steps.length })}
      action={
        <Button kind="quiet" onClick={() => void dismiss()}>
          {texts('checklist.dismiss')}
        </Button>
      }
    >
      <ol className={styles['list']}>
        {data.steps.map(({ name, isDone }) => {
          const { to, href } = PLACES[name]
          const label = texts(`checklist.${name}`)
          return (
            <li key={name} data-step={name} data-done={isDone}>
              <span className={styles[isDone ? 'ok' : 'off']}>
                {isDone ? <CircleCheck size={16} aria-hidden="true" /> : <Circle size={16} aria-hidden="true" />}
                {to !== undefined && !isDone && <Link to={to}>{label}</Link>}
                {href !== undefined && !isDone && <a href={href}>{label}</a>}
                {isDone && <span>{texts('checklist.done', { step: label })}</span>}
              </span>
              {!isDone && <p className={styles['reason']}>{texts(`checklist.${name}.text`)}</p>}
            </li>
          )
        })}
      </ol>
    </SectionCard>
  )
}
