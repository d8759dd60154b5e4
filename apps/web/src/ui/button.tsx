import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

export type ButtonKind = 'solid' | 'outline' | 'quiet' | 'danger' | 'dangerSolid'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  readonly size?: 'normal' | 'large'
  readonly ref?: Ref<HTMLButtonElement>
}

/** A disabled one keeps the focus: who pressed it is not sent to the top of the page while it works. */
export function Button(props: ButtonProps) {
  const { kind = 'outline', size = 'normal', className, type = 'button', disabled = false, onClick, ...rest } = props
  const names = classNames(styles['button'], styles[kind], size === 'large' && styles['large'], className)
  const off = disabled ? { 'aria-disabled': true } : {}
  return (
    <button
      {...rest}
      {...off}
      type={type === 'submit' ? 'submit' : 'button'}
      className={names}
      onClick={disabled ? refuse : onClick}
    />
  )
}

/** Also of a form whose Enter would press it. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'title' | 'size'> {
  /** Read aloud, and shown while the pointer rests on the button. */
  readonly label: string
  readonly icon: ReactNode
}

export function IconButton({ label, icon, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Button {...rest} kind={kind} className={classNames(styles['icon'], className)} aria-label={label} title={label}>
      {icon}
    </Button>
  )
}
