import { ChevronRight } from 'lucide-react'
import { ancestors, nameOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './visits.module.css'

export interface VisitTrailProps {
  readonly folder: string
  readonly rootName: string
  readonly onOpen: (folder: string) => void
}

/** Where in what is shared one is; nothing at its top. */
export function VisitTrail({ folder, rootName, onOpen }: VisitTrailProps) {
  const texts = useTexts()
  if (folder === '/') return null
  return (
    <nav className={styles['trail']} aria-label={texts('share.trail')}>
      <ol>
        {ancestors(folder).map((path) => (
          <li key={path}>
            {path !== '/' && <ChevronRight size={16} aria-hidden="true" />}
            {path === folder ? (
              <span aria-current="page" translate="no">
                {nameOf(path)}
              </span>
            ) : (
              <button type="button" translate="no" onClick={() => onOpen(path)}>
                {path === '/' ? rootName : nameOf(path)}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
