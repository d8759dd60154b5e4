import { routes } from '@godwit/contract/table'
import type { ConfigKeyInForce } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import styles from './server.module.css'

/** What the host decides: read-only here, each under the variable that sets it. */
export function ConfigCard() {
  const texts = useTexts()
  const { api } = useServices()
  const [isWhole, setWhole] = useState(false)
  const { data } = useQuery({
    queryKey: ['console', 'server', 'config'],
    queryFn: ({ signal }) => api.call(routes.serverControl.config, {}, { signal }),
  })
  const keys = data?.keys ?? []
  const set = keys.filter(({ source }) => source !== 'default')
  const shown = isWhole ? keys : set
  return (
    <SectionCard
      title={texts('server.config')}
      lead={texts('server.config.lead')}
      action={
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {texts(isWhole ? 'server.config.set' : 'server.config.all')}
        </Button>
      }
    >
      {data !== undefined && shown.length === 0 && <p>{texts('server.config.none')}</p>}
      <div className={styles['config']}>
        <Facts facts={shown.map((each) => ({ label: each.variable, value: <Value {...each} /> }))} />
      </div>
    </SectionCard>
  )
}

function Value({ value, source }: ConfigKeyInForce) {
  const texts = useTexts()
  return (
    <span className={styles['value']}>
      <span translate="no">{value === '' ? '-' : value}</span>
      <Tag>{texts(`server.config.${source}`)}</Tag>
    </span>
  )
}
