import {
  Alert,
  Button,
  type ButtonProps,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../texts';
import { useErrorText } from './states';

const TEXTS = {
  cancel: ['Cancel', 'Annuler'],
  confirm: ['Confirm', 'Confirmer'],
  reason: ['Reason', 'Motif'],
  done: ['Done', 'Terminé'],
} as const;

/** Runs a change, then reads what is shown again. */
export function useAction<Input = void, Output = unknown>(work: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: work, onSettled: () => client.invalidateQueries() });
}

export function ErrorNote({ error, form }: { error: unknown; form?: HTMLFormElement | null }) {
  const textOf = useErrorText();
  if (!error) return null;
  return (
    <Alert color="red" variant="outline" role="alert" p="xs">
      {textOf(error, form)}
    </Alert>
  );
}

/** A button that asks before it acts, and for a reason where one is recorded. */
export function Ask({
  label,
  question,
  withReason = false,
  onConfirm,
  ...button
}: {
  label: string;
  question: string;
  withReason?: boolean;
  onConfirm: (reason: string) => Promise<unknown>;
} & ButtonProps) {
  const texts = useTexts(TEXTS);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const action = useAction(() => onConfirm(reason));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(undefined, { onSuccess: close });
  };
  return (
    <>
      <Button size="compact-sm" variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        closeButtonProps={{ 'aria-label': texts.cancel }}
      >
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{question}</Text>
            {withReason && (
              <TextInput
                label={texts.reason}
                required
                data-autofocus
                maxLength={200}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            <ErrorNote error={action.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {texts.cancel}
              </Button>
              <Button type="submit" loading={action.isPending} color={button.color}>
                {texts.confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

/** A form in a window: its fields are the children. */
export function FormButton({
  label,
  submitLabel,
  children,
  onSubmit,
  ...button
}: {
  label: string;
  submitLabel?: string;
  children: ReactNode;
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
} & ButtonProps) {
  const texts = useTexts(TEXTS);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        closeButtonProps={{ 'aria-label': texts.cancel }}
      >
        <Form submitLabel={submitLabel ?? label} onSubmit={onSubmit} onDone={close}>
          {children}
        </Form>
      </Modal>
    </>
  );
}

/** Sends the values of its fields by name. Empty ones are left out. */
export function Form({
  submitLabel,
  children,
  onSubmit,
  onDone,
}: {
  submitLabel: string;
  children: ReactNode;
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
  onDone?: () => void;
}) {
  const texts = useTexts(TEXTS);
  const action = useAction(onSubmit);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      String(value),
    ]);
    const values = Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<
      string,
      string
    >;
    action.mutate(values, { onSuccess: () => onDone?.() });
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        {children}
        <ErrorNote error={action.error} form={form.current} />
        <Group>
          <Button type="submit" loading={action.isPending}>
            {submitLabel}
          </Button>
          {action.isSuccess && !onDone && (
            <Text size="sm" role="status">
              {texts.done}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
