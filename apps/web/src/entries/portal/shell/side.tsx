import type { SpaceInfo } from '@godwit/contract'
import {
  isMenuHidden,
  isSpaceSwitchOn,
  MENU,
  type MenuEntry,
  type MenuName,
  visibleMenu,
} from '@godwit/contract/foundation/menus'
import { Link } from '@tanstack/react-router'
import { ArrowUpDown, History, type LucideIcon, PanelLeftClose, PanelLeftOpen, Star } from 'lucide-react'
import { SpaceSelector } from '../../../features/content/spaces/index.ts'
import { useSite } from '../../../features/foundation/site/index.ts'
import { useAccount } from '../../../features/identity/auth/index.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { MENU_ICONS } from '../features.ts'
import { useMenuViewer } from '../menu-page.tsx'
import styles from './shell.module.css'
import { StorageMeter } from './storage-meter.tsx'

/** Sections that have a heading; the others are a single entry, which names itself. */
const HEADINGS: Readonly<Partial<Record<MenuEntry['section'], PortalKey>>> = {
  files: 'menu.files',
  p2p: 'menu.section.p2p',
  review: 'menu.section.review',
  links: 'menu.section.links',
}

/** Whether there is a menu to show; the selector of spaces is part of it. */
export function useHasMenu(): boolean {
  return !isMenuHidden(useMenuViewer())
}

export interface MenuListProps {
  /** Icons alone. */
  readonly isNarrow?: boolean
  readonly onSpace: (space: SpaceInfo) => void
  /** An entry was followed. */
  readonly onFollow?: () => void
}

/** The selector of spaces and the entries of the menu by their sections. */
export function MenuList({ isNarrow = false, onSpace, onFollow }: MenuListProps) {
  const texts = useTexts()
  const site = useSite()
  const { spaceInfo } = useAccount().user
  const names = visibleMenu(useMenuViewer())
  const sections = [...new Set(names.map((name) => MENU[name].section))]
  return (
    <>
      {isSpaceSwitchOn(site) && spaceInfo.length > 0 && (
        <div className={styles['spaces']}>
          <SpaceSelector isNarrow={isNarrow} onPick={onSpace} />
        </div>
      )}
      {sections.map((section) => {
        const heading = HEADINGS[section]
        return (
          <div key={section} className={styles['section']}>
            {!isNarrow && heading !== undefined && <p className={styles['group']}>{texts(heading)}</p>}
            <ul>
              {names
                .filter((name) => MENU[name].section === section)
                .map((name) => (
                  <Entry key={name} name={name} isNarrow={isNarrow} onFollow={onFollow} />
                ))}
              {section === 'files' &&
                names.includes('personal') &&
                SHORTCUTS.map((item) => (
                  <Item key={item.to} {...item} label={texts(item.text)} isNarrow={isNarrow} onFollow={onFollow} />
                ))}
            </ul>
          </div>
        )
      })}
    </>
  )
}

/** Ways to files of any place and to what moves them; open to whoever has files of their own here. */
const SHORTCUTS = [
  { to: '/favourites', text: 'marks.favorites', icon: Star },
  { to: '/recent', text: 'marks.recent', icon: History },
  { to: '/transfers', text: 'menu.transfers', icon: ArrowUpDown },
] as const satisfies ReadonlyArray<{ readonly to: string; readonly text: PortalKey; readonly icon: LucideIcon }>

interface EntryProps {
  readonly name: MenuName
  readonly isNarrow: boolean
  readonly onFollow: (() => void) | undefined
}

function Entry({ name, isNarrow, onFollow }: EntryProps) {
  const texts = useTexts()
  return (
    <Item
      to={MENU[name].path}
      menu={name}
      icon={MENU_ICONS[name]}
      label={texts(`menu.${name}`)}
      isNarrow={isNarrow}
      onFollow={onFollow}
    />
  )
}

interface ItemProps extends Omit<EntryProps, 'name'> {
  readonly to: string
  readonly menu?: MenuName
  readonly icon: LucideIcon | undefined
  readonly label: string
}

function Item({ to, menu, icon: Icon, label, isNarrow, onFollow }: ItemProps) {
  return (
    <li>
      <Link
        to={to}
        // `/review` is a page of its own and not the head of `/review/pending`.
        activeOptions={{ exact: menu !== 'group', includeSearch: false }}
        className={styles['item']}
        data-menu={menu}
        {...(isNarrow ? { 'aria-label': label, title: label } : {})}
        {...(onFollow === undefined ? {} : { onClick: onFollow })}
      >
        {Icon !== undefined && <Icon size={20} aria-hidden="true" />}
        {!isNarrow && label}
      </Link>
    </li>
  )
}

export interface SideProps extends Pick<MenuListProps, 'onSpace'> {
  readonly isNarrow: boolean
  readonly onToggle: () => void
}

/** The menu beside the page. */
export function Side({ isNarrow, onToggle, onSpace }: SideProps) {
  const texts = useTexts()
  const Icon = isNarrow ? PanelLeftOpen : PanelLeftClose
  return (
    <nav className={styles['side']} aria-label={texts('menu.label')} data-testid="side">
      <MenuList isNarrow={isNarrow} onSpace={onSpace} />
      <div className={styles['end']}>
        {!isNarrow && <StorageMeter />}
        <Button kind="quiet" onClick={onToggle} aria-label={texts(isNarrow ? 'menu.expand' : 'menu.collapse')}>
          <Icon size={20} aria-hidden="true" />
          {!isNarrow && texts('menu.collapse')}
        </Button>
      </div>
    </nav>
  )
}
