import { Button, Group, Modal, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, newKey, type V1, v1 } from '../../api/client';
import { Ask, Form, FormButton } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { Moment } from '../../parts/show';
import { Empty } from '../../parts/states';
import { useMode } from '../../session';
import { fill, useTexts } from '../../texts';

const TEXTS = {
  create: ['Create a template', 'Créer un modèle'],
  name: ['Name', 'Nom'],
  body: ['Text', 'Texte'],
  bodyHelp: [
    'Variables stand in double braces, for example {{name}}.',
    'Les variables sont entre doubles accolades, par exemple {{name}}.',
  ],
  variables: ['Variables', 'Variables'],
  version: ['Version', 'Version'],
  changed: ['Changed', 'Modifié'],
  preview: ['Preview', 'Aperçu'],
  render: ['Show the text', 'Afficher le texte'],
  result: ['{n} segments, {encoding}', '{n} segments, {encoding}'],
  edit: ['Edit', 'Modifier'],
  remove: ['Delete', 'Supprimer'],
  removeAsk: [
    'Sends that name it are refused afterwards.',
    'Les envois qui le nomment seront refusés.',
  ],
  close: ['Close', 'Fermer'],
  none: ['No template yet', 'Aucun modèle'],
  noneHelp: [
    'A template is a text with variables, which a send names.',
    'Un modèle est un texte avec des variables, nommé par un envoi.',
  ],
} as const;

type Template = V1['SmsTemplate'];

export function Templates() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <FormButton
          label={texts.create}
          onSubmit={({ name = '', body = '' }) =>
            answerOf(
              v1.POST('/v1/sms-templates', { params: { header: newKey() }, body: { name, body } }),
            )
          }
        >
          <TextInput name="name" label={texts.name} required />
          <Textarea
            name="body"
            label={texts.body}
            description={texts.bodyHelp}
            required
            autosize
            minRows={3}
          />
        </FormButton>
      </Group>
      <PagedRows<Template>
        isCards
        queryKey={['templates', mode]}
        read={(cursor) =>
          answerOf(
            v1.GET('/v1/sms-templates', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={({ id }) => id}
        label={texts.name}
        empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
        columns={[
          {
            title: texts.name,
            of: ({ name, slug }) => (
              <>
                <Text size="sm" fw={500}>
                  {name}
                </Text>
                <span className="code">{slug}</span>
              </>
            ),
          },
          {
            title: texts.body,
            of: ({ body }) => (
              <Text size="sm" lineClamp={2}>
                {body}
              </Text>
            ),
            isWide: true,
          },
          { title: texts.version, of: ({ version }) => version, isNumber: true, isWide: true },
          { title: texts.changed, of: ({ updated_at: at }) => <Moment at={at} />, isWide: true },
          { title: '', isAction: true, of: (template) => <Actions template={template} /> },
        ]}
      />
    </>
  );
}

function Actions({ template }: { template: Template }) {
  const texts = useTexts(TEXTS);
  const path = { id: template.id };
  return (
    <Group gap="xs">
      <Preview template={template} />
      <FormButton
        label={texts.edit}
        size="compact-sm"
        variant="default"
        onSubmit={({ name = '', body = '' }) =>
          answerOf(v1.PATCH('/v1/sms-templates/{id}', { params: { path }, body: { name, body } }))
        }
      >
        <TextInput name="name" label={texts.name} required defaultValue={template.name} />
        <Textarea
          name="body"
          label={texts.body}
          description={texts.bodyHelp}
          required
          autosize
          minRows={3}
          defaultValue={template.body}
        />
      </FormButton>
      <Ask
        label={texts.remove}
        question={texts.removeAsk}
        color="red"
        onConfirm={() => answerOf(v1.DELETE('/v1/sms-templates/{id}', { params: { path } }))}
      />
    </Group>
  );
}

function Preview({ template }: { template: Template }) {
  const texts = useTexts(TEXTS);
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<V1['RenderedSmsTemplate']>();
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {texts.preview}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={template.name}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        <Stack>
          <Form
            submitLabel={texts.render}
            onSubmit={async (variables) =>
              setShown(
                await answerOf(
                  v1.POST('/v1/sms-templates/{id}/render', {
                    params: { path: { id: template.id }, header: newKey() },
                    body: { variables },
                  }),
                ),
              )
            }
          >
            {template.variables.map((name) => (
              <TextInput key={name} name={name} label={name} />
            ))}
          </Form>
          {shown && (
            <Paper withBorder p="md" radius="lg" role="status">
              <Text style={{ whiteSpace: 'pre-wrap' }}>{shown.body}</Text>
              <Text size="xs" c="dimmed" mt="xs">
                {fill(texts.result, { n: shown.segments, encoding: shown.encoding })}
              </Text>
            </Paper>
          )}
        </Stack>
      </Modal>
    </>
  );
}
