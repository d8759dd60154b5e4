import { routes } from '@godwit/contract/table'
import type { ClientPackage } from '@godwit/contract'
import { Download } from 'lucide-react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { useSite } from '../../foundation/site/index.ts'
import styles from './clients.module.css'

/** The installers this server has; each download goes by a link that is made for it and soon forgotten. */
export function ClientPackages() {
  const texts = useTexts()
  const { clientPackages } = useSite()
  const download = useDownload()
  if (clientPackages.length === 0) return <p className={styles['hint']}>{texts('client.start.none')}</p>
  return (
    <ul className={styles['packages']}>
      {clientPackages.map((type) => (
        <li key={type}>
          <Button onClick={() => void download(type)}>
            <Download size={18} aria-hidden="true" />
            {texts(`client.package.${type}`)}
            <span className={styles['type']}>{`.${type}`}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function useDownload() {
  const texts = useTexts()
  const { api, messages } = useServices()
  return async (type: ClientPackage): Promise<void> => {
    try {
      const { url } = await api.call(routes.clients.packageTicket, { body: { type } })
      location.assign(url)
    } catch (error) {
      messages.fail(error, texts)
    }
  }
}
