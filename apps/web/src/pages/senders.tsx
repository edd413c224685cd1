import { Tabs } from '@mantine/core';
import { PageTitle } from '../parts/states';
import { useTexts } from '../texts';
import { Domains } from './senders/domains';
import { SenderIds } from './senders/sender-ids';
import { Suppressions } from './senders/suppressions';
import { Templates } from './senders/templates';

const TEXTS = {
  title: ['Senders and lists', 'Expéditeurs et listes'],
  ids: ['Sender IDs', 'Expéditeurs SMS'],
  templates: ['SMS templates', 'Modèles de SMS'],
  domains: ['Email domains', 'Domaines d’e-mail'],
  suppressions: ['Suppressions', 'Suppressions'],
} as const;

export function Senders() {
  const texts = useTexts(TEXTS);
  return (
    <>
      <PageTitle title={texts.title} />
      <Tabs defaultValue="ids" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="ids">{texts.ids}</Tabs.Tab>
          <Tabs.Tab value="templates">{texts.templates}</Tabs.Tab>
          <Tabs.Tab value="domains">{texts.domains}</Tabs.Tab>
          <Tabs.Tab value="suppressions">{texts.suppressions}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ids">
          <SenderIds />
        </Tabs.Panel>
        <Tabs.Panel value="templates">
          <Templates />
        </Tabs.Panel>
        <Tabs.Panel value="domains">
          <Domains />
        </Tabs.Panel>
        <Tabs.Panel value="suppressions">
          <Suppressions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
