import {
  BookOpen,
  Download,
  FileArchive,
  FileText,
  FileType,
  Folder,
  Globe,
  Hash,
  Mail,
  Package,
  Sheet,
  type LucideIcon,
} from "lucide-react";

const icons: Record<string, LucideIcon> = {
  pdf: FileText,
  docx: FileType,
  html: Globe,
  xlsx: Sheet,
  markdown: Hash,
  notebook: BookOpen,
  bundle: Package,
  zip: FileArchive,
  folder: Folder,
};

/** A sign for a form of export; one that is not known here has one too. */
export function formIcon(id: string) {
  const Icon = icons[id] ?? Download;
  return <Icon size={16} aria-hidden />;
}

export const copyIcons = {
  report: <FileText size={16} aria-hidden />,
  summary: <Mail size={16} aria-hidden />,
};
