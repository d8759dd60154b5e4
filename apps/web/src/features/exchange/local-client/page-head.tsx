import type { LocalClientView, OverallState } from '@godwit/contract'
import { LOCAL_PAUSES } from '@godwit/contract/exchange/local-client-states'
import {
  ChevronDown,
  CircleAlert,
  CircleCheck,
  CirclePause,
  CircleOff,
  CircleQuestionMark,
  Pause,
  Play,
  RefreshCw,
} from 'lucide-react'
import { formatMinute } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Logo } from '../../../ui/logo.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import { PreferenceChoices } from '../../../ui/preference-choices.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

const ICONS = {
  error: CircleAlert,
  offline: CircleOff,
  asking: CircleQuestionMark,
  paused: CirclePause,
  active: RefreshCw,
  idle: CircleCheck,
} as const satisfies Readonly<Record<OverallState, unknown>>

export interface PageHeadProps {
  readonly view: LocalClientView
  readonly act: Act
}

/** How the client stands, and the switch of everything. */
export function PageHead({ view, act }: PageHeadProps) {
  const texts = useTexts()
  const { overall, version, device } = view
  const Icon = ICONS[overall]
  return (
    <header className={styles['head']}>
      <Logo size={36} />
      <div className={styles['names']}>
        <h1 className={styles['title']}>{texts('local.title')}</h1>
        <p className={styles['note']} translate="no">
          {texts('local.version', { device, version })}
        </p>
      </div>
      <p className={classNames(styles['overall'], styles[overall])} role="status" data-testid="overall">
        <Icon size={18} aria-hidden="true" />
        {texts(`local.overall.${overall}`)}
      </p>
      <div className={styles['actions']}>
        <PauseAll pausedUntil={view.pausedUntil} act={act} />
        <Preferences />
      </div>
    </header>
  )
}

function PauseAll({ pausedUntil, act }: { readonly pausedUntil: number; readonly act: Act }) {
  const texts = useTexts()
  if (pausedUntil > 0)
    return (
      <Button kind="solid" onClick={() => void act({ action: 'resume-all' })}>
        <Play size={16} aria-hidden="true" />
        {texts('local.resume-all')}
      </Button>
    )
  const entries = LOCAL_PAUSES.map((pause) => ({
    id: pause,
    label: texts(`local.pause.${pause}`),
    run: () => void act({ action: 'pause-all', pause }),
  }))
  return (
    <MenuButton
      align="end"
      trigger={
        <Button>
          <Pause size={16} aria-hidden="true" />
          {texts('local.pause-all')}
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      }
    >
      <MenuEntries entries={entries} />
    </MenuButton>
  )
}

function Preferences() {
  const texts = useTexts()
  return (
    <MenuButton
      align="end"
      trigger={
        <Button kind="quiet">
          {texts(`language.${texts.locale}`)}
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      }
    >
      <PreferenceChoices hasLanguages />
    </MenuButton>
  )
}

/** More than a person plans ahead: such a pause has no end. */
const FOR_GOOD_SECONDS = 250_000_000_000

/** @returns undefined while nothing is paused as a whole */
export function usePauseText(pausedUntil: number): string | undefined {
  const texts = useTexts()
  if (pausedUntil === 0) return undefined
  if (pausedUntil > FOR_GOOD_SECONDS) return texts('local.paused-always')
  return texts('local.paused-until', { time: formatMinute(pausedUntil) })
}
