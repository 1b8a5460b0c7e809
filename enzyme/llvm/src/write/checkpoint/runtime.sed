# What `runtime.ll` does without: comments, attributes, and what only optimisers read.
/^;|^attributes|^!|^source_filename|^target triple|lifetime/d
s/, !(tbaa|tbaa.struct|llvm.loop) ![0-9]+//g
s/ #[0-9]+( \{)?$/\1/
s/ +; preds.*//
s/ (noundef|nonnull|readonly|writeonly|immarg|allocptr|local_unnamed_addr|unnamed_addr|dso_local|noalias)\b//g
s/ dereferenceable\([0-9]+\)//g
s/ captures\([^)]*\)//g
s/ initializes\(\([^)]*\)(, \([^)]*\))*\)//g
s/ range\([^)]*\)//g
s/ (fastcc|internal)\b//g
s/(tail|musttail) call/call/
s/icmp samesign/icmp/
s/inbounds nuw/inbounds/
